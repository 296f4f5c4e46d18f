/* embedded: the files of this folder as texts, made at build time (cmake/Embed.cmake). */
#ifndef PSUITE_CORE_TOPO_PAGE_EMBEDDED_H
#define PSUITE_CORE_TOPO_PAGE_EMBEDDED_H

extern const struct page_text topopage_css, topopage_js;

#endif
