/*
 * web_profile: the machine's profile for web clients, in pprof's format, as Go's net/http/pprof
 * serves it: /debug/pprof/profile?seconds=N (30 if not said), with call chains.
 *
 * A request starts a sampling and waits for its end; those that come meanwhile wait for the same.
 * Clients on this machine must be of our own user, or root. The names are looked up behind the last
 * sample, and nothing else is served meanwhile.
 */
#pragma once

#include "core/net/http_answer.h"
#include "core/net/http_request.h"

struct web_profile;

struct web_profile *web_profile_new(void); /* NULL: no memory */
void web_profile_free(struct web_profile *p);

/* As `answer' of engine/http/server.h. */
void web_profile_answer(struct web_profile *p, const struct http_request *r,
                        struct http_response *out, struct buf *body);

/* Reads samples, and ends the sampling when it is time: before requests are served. */
void web_profile_tend(struct web_profile *p, uint64_t now_ns);
/* Behind that: a profile that has been handed out is forgotten. */
void web_profile_forget(struct web_profile *p);
/* When to tend it; negative: whenever. */
int web_profile_timeout_ms(const struct web_profile *p, uint64_t now_ns);
