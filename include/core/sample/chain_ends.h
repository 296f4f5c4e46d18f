/*
 * chain_ends: how far call chains reached that were unwound: the share that came to the outermost
 * frame of its thread, and of the others where they broke and why, a row a module and reason.
 */
#ifndef PSUITE_CORE_SAMPLE_CHAIN_ENDS_H
#define PSUITE_CORE_SAMPLE_CHAIN_ENDS_H

#include "core/base/json.h"
#include "core/sample/sampled.h"

struct buf;

/* Nothing when no chain was unwound.
 *
 *     call chains: 98.7% of 1000 whole; 3 with a guessed frame; 20 read late
 *       0.9%  stack slice too short, in libpython3.11.so.1.0
 *       0.4%  no call frame information, in [anon]
 */
void chain_ends_text(const struct sampled *s, struct buf *out);

/* "chains":{"unwound","whole","guessed","late","broken":[{"reason","module","chains"}]} */
void chain_ends_json(const struct sampled *s, struct json *j);

#endif
