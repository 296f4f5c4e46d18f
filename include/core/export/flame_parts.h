/*
 * flame_parts: style and script of a flame graph (src/core/export/flame), for pages that make its
 * boxes themselves. The script stands behind page_shared_js (core/text/page_shared.h); it defines
 * psuite.flame(svg), which reads the boxes of the picture.
 */
#pragma once

extern const struct page_text flame_css, flame_js;
