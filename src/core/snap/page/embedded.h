/* embedded: the files of this folder as texts, made at build time (cmake/Embed.cmake). */
#ifndef PSUITE_CORE_SNAP_PAGE_EMBEDDED_H
#define PSUITE_CORE_SNAP_PAGE_EMBEDDED_H

extern const struct page_text snap_css, snap_html, snap_js, snap_samples_js, snap_stats_js;

#endif
