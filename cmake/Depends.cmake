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

# libdwarf's calls that read an object in memory changed with its release 0.3.
find_path(LIBDWARF_INCLUDE libdwarf.h PATH_SUFFIXES libdwarf libdwarf-0)
find_library(LIBDWARF_LIBRARY dwarf)
if(NOT LIBDWARF_INCLUDE OR NOT LIBDWARF_LIBRARY)
  message(FATAL_ERROR "psuite: libdwarf not found: apt-get install libdwarf-dev")
endif()
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_INCLUDES ${LIBDWARF_INCLUDE})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
check_c_source_compiles("#include <libdwarf.h>
Dwarf_Obj_Access_Interface_a object; int f(Dwarf_Debug d) { return dwarf_object_finish(d); }" LIBDWARF_IS_0)
check_c_source_compiles("#include <libdwarf.h>
int f(void *o, Dwarf_Half i, Dwarf_Small **out, int *e);
_Static_assert(__builtin_types_compatible_p(__typeof__(((Dwarf_Obj_Access_Methods_a *)0)->om_load_section),
  __typeof__(&f)), \"narrow\");" LIBDWARF_INDEX_IS_HALF)
unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
unset(CMAKE_REQUIRED_INCLUDES)
set(PSUITE_LIBDWARF_SOURCE src/core/libdwarf/2021.c)
if(LIBDWARF_IS_0)
  set(PSUITE_LIBDWARF_SOURCE src/core/libdwarf/0.c)
  set(index Dwarf_Unsigned)
  if(LIBDWARF_INDEX_IS_HALF)
    set(index Dwarf_Half)
  endif()
  set_source_files_properties(${PSUITE_LIBDWARF_SOURCE} PROPERTIES COMPILE_DEFINITIONS PSUITE_LIBDWARF_INDEX=${index})
endif()
add_library(psuite_libdwarf INTERFACE)
target_include_directories(psuite_libdwarf SYSTEM INTERFACE ${LIBDWARF_INCLUDE})
target_link_libraries(psuite_libdwarf INTERFACE ${LIBDWARF_LIBRARY} psuite_libelf)

set(PSUITE_FEATURES "libelf libdwarf")
configure_file(${CMAKE_SOURCE_DIR}/cmake/build_info.h.in ${CMAKE_BINARY_DIR}/generated/build_info.h)
