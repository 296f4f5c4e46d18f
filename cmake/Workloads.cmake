# Workloads are ordinary programs that get profiled: optimised, with symbols, never with the build's sanitizers, left in
# BUILD/work. In a static (so also in a cross) build they are static too, unless they use shared libraries of their own;
# 32-bit ARM gets each a second time as NAME-a32, in A32 instead of Thumb code.
set(work_flags -O2 -g -fno-omit-frame-pointer -Wall -Wextra)

function(work_target name sources)
  set_target_properties(${name} PROPERTIES COMPILE_OPTIONS "${work_flags};${ARGN}" LINK_OPTIONS ""
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/work LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/work
    BUILD_RPATH "$ORIGIN" BUILD_RPATH_USE_ORIGIN ON)
  target_sources(${name} PRIVATE ${sources})
endfunction()

# workload(NAME [DYNAMIC] [SOURCES file...] [LIBRARIES name...] [LINK option...] [FLAGS option...]): SOURCES is NAME.c if not
# given; DYNAMIC: not static, ever; LIBRARIES are work_library()s or -lm; FLAGS are the compiler's and overrule those above.
function(workload name)
  cmake_parse_arguments(w "DYNAMIC" "" "SOURCES;LIBRARIES;LINK;FLAGS" ${ARGN})
  if(NOT w_SOURCES)
    set(w_SOURCES ${name}.c)
  endif()
  set(variants ${name})
  if(PSUITE_CPU STREQUAL arm)
    list(APPEND variants ${name}-a32)
  endif()
  foreach(variant ${variants})
    add_executable(${variant})
    set(flags ${w_FLAGS})
    if(variant MATCHES "-a32$")
      list(APPEND flags -marm)
    endif()
    work_target(${variant} "${w_SOURCES}" ${flags})
    target_link_libraries(${variant} PRIVATE ${w_LIBRARIES})
    target_link_options(${variant} PRIVATE ${w_LINK})
    set(shared ${w_DYNAMIC})
    foreach(library ${w_LIBRARIES})
      if(TARGET ${library})
        set(shared TRUE)
      endif()
    endforeach()
    if(PSUITE_STATIC AND NOT shared)
      target_link_options(${variant} PRIVATE -static)
    endif()
  endforeach()
endfunction()

# work_library(NAME [file...]): libNAME.so, from NAME.c if no file is given.
function(work_library name)
  set(sources ${ARGN})
  if(NOT sources)
    set(sources ${name}.c)
  endif()
  add_library(${name} SHARED)
  work_target(${name} "${sources}" -fPIC)
endfunction()
