/*
 * embedded: the files of this folder as texts (cmake/Embed.cmake).
 */
#pragma once

extern const struct page_text statspage_html, statspage_css, statspage_js, statspage_processes_js;
