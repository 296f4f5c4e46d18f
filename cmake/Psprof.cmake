# What a program is built with to be profiled, for `prof --cflags' and `--libs'. The words are the runtime's
# (PSPROF_CFLAGS, PSPROF_WRAP_OPTIONS), said where it is built; without it there is nothing to link with.
if(NOT DEFINED PSPROF_CFLAGS)
  set(PSPROF_CFLAGS -finstrument-functions)
endif()
list(JOIN PSPROF_CFLAGS " " PSPROF_CFLAGS_WORDS)
list(JOIN PSPROF_WRAP_OPTIONS " " PSPROF_LINK_WORDS)
configure_file(${CMAKE_SOURCE_DIR}/cmake/psprof_words.h.in ${CMAKE_BINARY_DIR}/generated/psprof_words.h)
