# The libraries, each behind one target, so that the rest of the build does not know how they were found.
find_path(LIBELF_INCLUDE gelf.h)
find_library(LIBELF_LIBRARY elf)
find_library(ZLIB_LIBRARY z)
if(NOT LIBELF_INCLUDE OR NOT LIBELF_LIBRARY OR NOT ZLIB_LIBRARY)
  message(FATAL_ERROR "psuite: libelf or zlib not found: apt-get install libelf-dev zlib1g-dev")
endif()
add_library(psuite_libelf INTERFACE)
target_include_directories(psuite_libelf SYSTEM INTERFACE ${LIBELF_INCLUDE})
target_link_libraries(psuite_libelf INTERFACE ${LIBELF_LIBRARY} ${ZLIB_LIBRARY})

set(PSUITE_FEATURES "libelf")

# optional_library(SWITCH LIBRARY FILE HEADER FOLDER SOURCE WITHOUT): with the switch on and the library there, psuite_LIBRARY
# brings it and SOURCE of src/core/FOLDER calls it; else none.c of the same folder, and --version says WITHOUT.
function(optional_library switch library file header folder source without)
  find_path(${library}_INCLUDE ${header})
  find_library(${library}_LIBRARY NAMES ${file})
  add_library(psuite_${library} INTERFACE)
  if(${switch} AND ${library}_INCLUDE AND ${library}_LIBRARY)
    target_include_directories(psuite_${library} SYSTEM INTERFACE ${${library}_INCLUDE})
    target_link_libraries(psuite_${library} INTERFACE ${${library}_LIBRARY})
    set(feature ${library})
  else()
    set(source none.c)
    set(feature ${without})
  endif()
  set(PSUITE_OPTIONAL_SOURCES ${PSUITE_OPTIONAL_SOURCES} src/core/${folder}/${source} PARENT_SCOPE)
  set(PSUITE_FEATURES "${PSUITE_FEATURES} ${feature}" PARENT_SCOPE)
endfunction()
optional_library(PSUITE_DEMANGLE libiberty libiberty.a libiberty/demangle.h symbol/demangle iberty.c "without demangling")
optional_library(PSUITE_ZSTD libzstd zstd zstd.h base/zstd zstd.c "without zstd")

configure_file(${CMAKE_SOURCE_DIR}/cmake/build_info.h.in ${CMAKE_BINARY_DIR}/generated/build_info.h)
