set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(GUEST_ARCH arm64)
set(TRIPLET aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-cross.cmake)
