# libpsprof, the runtime of prof: it is linked into other people's programs, so it has nothing of the build's own options
# beyond -O2: no sanitizers, no instrumentation, no library but libc. libpsprof.a is for executables (thread-local storage
# as they have it), libpsprof.so.1 for all.
file(GLOB runtime_sources CONFIGURE_DEPENDS src/runtime/*.c src/runtime/${PSUITE_CPU}/*.c)
set(runtime_static_only ${CMAKE_SOURCE_DIR}/src/runtime/prof_name.c)
set(runtime_wraps longjmp _longjmp siglongjmp __longjmp_chk makecontext dlclose)
set(runtime_flags -O2 -g -fno-sanitize=all -fno-instrument-functions -fno-stack-protector -fno-builtin-memset)

function(runtime_library name kind)
  add_library(${name} ${kind} ${ARGN})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME psprof LINK_OPTIONS "")
  target_include_directories(${name} PUBLIC include PRIVATE src/runtime src/runtime/${PSUITE_CPU})
  target_compile_options(${name} PRIVATE ${runtime_flags})
endfunction()

runtime_library(psprof_static STATIC ${runtime_sources})
target_compile_options(psprof_static PRIVATE -fPIE)
set_source_files_properties(src/runtime/wrap.c PROPERTIES COMPILE_OPTIONS "")
target_compile_definitions(psprof_static PRIVATE RT_TLS_MODEL="local-exec")

list(REMOVE_ITEM runtime_sources ${runtime_static_only})
if(NOT PSUITE_STATIC)
  runtime_library(psprof_shared SHARED ${runtime_sources})
  set_target_properties(psprof_shared PROPERTIES SOVERSION 1 VERSION 1.0.0)
  target_compile_definitions(psprof_shared PRIVATE RT_TLS_MODEL="initial-exec")
  target_link_options(psprof_shared PRIVATE -Wl,-z,defs -Wl,-Bsymbolic-functions)
  target_link_libraries(psprof_shared PRIVATE ${CMAKE_DL_LIBS} pthread)
endif()
