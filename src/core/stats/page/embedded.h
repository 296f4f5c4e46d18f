/*
 * embedded: the files of this folder as texts (cmake/Embed.cmake).
 */
#ifndef PSUITE_CORE_STATS_PAGE_EMBEDDED_H
#define PSUITE_CORE_STATS_PAGE_EMBEDDED_H

extern const struct page_text statspage_html, statspage_css, statspage_js, statspage_processes_js;

#endif
