# libpsprof, the runtime of prof: it is linked into other people's programs, so it has nothing of the build's own options:
# no sanitizers, no instrumentation, no library but libc. libpsprof.a is for executables (thread-local storage as they have
# it), libpsprof.so.1 for all that may be loaded.
set(PSPROF_CFLAGS -finstrument-functions)
set(PSPROF_WRAPS longjmp _longjmp siglongjmp __longjmp_chk makecontext dlclose __cxa_begin_catch)
list(TRANSFORM PSPROF_WRAPS PREPEND "-Wl,--wrap=" OUTPUT_VARIABLE PSPROF_WRAP_OPTIONS)

file(GLOB runtime_sources CONFIGURE_DEPENDS src/runtime/*.c src/runtime/${PSUITE_CPU}/*.c)
file(GLOB runtime_of_static CONFIGURE_DEPENDS src/runtime/prof_name.c src/runtime/wrap_static_*.c)
set(runtime_of_shared src/runtime/wrap_shared.c)
list(TRANSFORM runtime_of_shared PREPEND ${CMAKE_SOURCE_DIR}/)
list(REMOVE_ITEM runtime_sources ${runtime_of_static} ${runtime_of_shared})

# runtime_library(NAME KIND TLS_MODEL SOURCE... )
function(runtime_library name kind model)
  add_library(${name} ${kind} ${ARGN})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME psprof POSITION_INDEPENDENT_CODE ON LINK_OPTIONS "-Wl,--gc-sections")
  target_include_directories(${name} PUBLIC include PRIVATE src/runtime src/runtime/${PSUITE_CPU})
  target_compile_definitions(${name} PRIVATE RT_TLS_MODEL="${model}")
  target_compile_options(${name} PRIVATE -O2 -fno-sanitize=all -fno-instrument-functions -fno-stack-protector)
endfunction()

runtime_library(psprof_static STATIC local-exec ${runtime_sources} ${runtime_of_static})
set_target_properties(psprof_static PROPERTIES POSITION_INDEPENDENT_CODE OFF)
# The hooks: each in as few lines of the cache as it takes.
set_source_files_properties(src/runtime/hook_instrument.c PROPERTIES COMPILE_OPTIONS -falign-functions=64)
target_compile_options(psprof_static PRIVATE -fPIE)
runtime_library(psprof_shared SHARED initial-exec ${runtime_sources} ${runtime_of_shared})
set_target_properties(psprof_shared PROPERTIES SOVERSION 1 VERSION 1.0.0)
target_link_options(psprof_shared PRIVATE -Wl,-z,defs)
target_link_libraries(psprof_shared PRIVATE ${CMAKE_DL_LIBS} pthread)

# What a program needs to be recorded: psprof.h, the libraries, and their words for make, pkg-config and CMake.
string(JOIN " " PSPROF_WRAPS_LINE ${PSPROF_WRAP_OPTIONS})
string(JOIN " " PSPROF_CFLAGS_LINE ${PSPROF_CFLAGS})
file(RELATIVE_PATH PSPROF_PC_TO_PREFIX /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
foreach(file psprof.pc psprof-config.cmake)
  configure_file(cmake/${file}.in ${CMAKE_BINARY_DIR}/generated/${file} @ONLY)
endforeach()
install(TARGETS psprof_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS psprof_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/psprof.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/generated/psprof.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_BINARY_DIR}/generated/psprof-config.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/psprof)
install(FILES man/psprof.3 DESTINATION share/man/man3)
