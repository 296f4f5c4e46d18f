/* embedded: the files of this folder as texts, made at build time (cmake/Embed.cmake). */
#pragma once

extern const struct page_text topopage_css, topopage_js;
