# What a program is built with to be profiled: said once, for `prof --cflags' and `--libs' and for what is installed.
set(PSPROF_CFLAGS "-finstrument-functions" CACHE INTERNAL "words for the compiler")
set(PSPROF_LINK "-Wl,--wrap=makecontext -pthread" CACHE INTERNAL "words for the linker behind libpsprof.a")
set(PSPROF_LIBDIR ${CMAKE_INSTALL_LIBDIR})
configure_file(${CMAKE_SOURCE_DIR}/cmake/psprof_words.h.in ${CMAKE_BINARY_DIR}/generated/psprof_words.h)
