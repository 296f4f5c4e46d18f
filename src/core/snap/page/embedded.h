/* embedded: the files of this folder as texts, made at build time (cmake/Embed.cmake). */
#pragma once

extern const struct page_text snap_css, snap_html, snap_js, snap_samples_js, snap_stats_js;
