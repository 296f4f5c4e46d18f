/*
 * page_shared: the script that the HTML and SVG pages have in common: src/core/text/page/shared.js
 * as a text (cmake/Embed.cmake). A page has it in a script element before its own. It is ASCII
 * without `</' or `]]>', so that it can stand in HTML and in a CDATA section.
 */
#ifndef PSUITE_CORE_TEXT_PAGE_SHARED_H
#define PSUITE_CORE_TEXT_PAGE_SHARED_H

extern const char page_shared_js[];

#endif
