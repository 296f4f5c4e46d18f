/* embedded: the files of this folder as texts, made at build time (cmake/Embed.cmake). */
#ifndef PSUITE_CORE_EXPORT_FLAME_EMBEDDED_H
#define PSUITE_CORE_EXPORT_FLAME_EMBEDDED_H

extern const char flame_css[], flame_js[];

#endif
