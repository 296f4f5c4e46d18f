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
configure_file(${CMAKE_SOURCE_DIR}/cmake/build_info.h.in ${CMAKE_BINARY_DIR}/generated/build_info.h)
