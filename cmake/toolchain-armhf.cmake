set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(GUEST_ARCH armhf)
set(TRIPLET arm-linux-gnueabihf)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-cross.cmake)
