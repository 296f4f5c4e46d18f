/* embedded: the files of this folder as texts, made at build time (cmake/Embed.cmake). */
#ifndef PSUITE_CORE_TIMELINE_HTML_EMBEDDED_H
#define PSUITE_CORE_TIMELINE_HTML_EMBEDDED_H

extern const char sched_page_css[], sched_page_js[], sched_page_data_js[], sched_page_draw_js[];

#endif
