# What the ARM toolchains share: Debian's cross compiler and C library, the other libraries from the sysroot that
# tests/guest/prepare makes. Its own copy of the C library, if any, must stay out of the search paths.
# Wants GUEST_ARCH and TRIPLET.
set(guest_cache $ENV{PSUITE_GUEST_CACHE})
if(NOT guest_cache)
  set(guest_cache $ENV{HOME}/.cache/psuite-guest)
endif()
if(NOT EXISTS ${guest_cache}/${GUEST_ARCH}/sysroot/done)
  message(FATAL_ERROR "psuite: no sysroot for ${GUEST_ARCH}: run tests/guest/prepare toolchain ${GUEST_ARCH} (or ./dev cross ${GUEST_ARCH})")
endif()
set(guest_sysroot ${guest_cache}/${GUEST_ARCH}/sysroot)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${TRIPLET}-gcc)
find_program(cross_cxx ${TRIPLET}-g++) # for tests
if(cross_cxx)
  set(CMAKE_CXX_COMPILER ${cross_cxx})
endif()
set(CMAKE_STRIP ${TRIPLET}-strip)
set(CMAKE_LIBRARY_ARCHITECTURE ${TRIPLET})
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${guest_sysroot}/usr/include ${guest_sysroot}/usr/include/${TRIPLET})
set(CMAKE_FIND_ROOT_PATH ${guest_sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
