/*
 * time_gate: whether a second command is slower than a first one by more than a limit, decided as
 * soon as the rounds tell; by real time, or by CPU time, which others that run beside it change
 * less.
 *
 * The rounds are looked at after each GATE_LOOK of them, GATE_ROUNDS at most, by the signed ranks
 * of paired.h against the limit. Each look has its share of what may go wrong in all: a command
 * that is not slower than the limit is called slower in at most GATE_WRONG_SLOWER of gates, one
 * that is as slow passes in at most GATE_WRONG_PASS. What neither shows stays undecided.
 */
#pragma once

#include "core/time/report.h"

enum { GATE_LOOK = 10, GATE_ROUNDS = 60, GATE_MAX_PCT = 1000 };
#define GATE_WRONG_SLOWER 0.01
#define GATE_WRONG_PASS   0.05

/* Of the report's first two commands, against its gate_ratio, of the second's time to the first's.
 * GATE_OPEN: GATE_LOOK more rounds are to be made. 0, or -ENOMEM. */
int time_gate(const struct time_report *r, enum gate_verdict *out);

/* A line: the report's verdict, and what it rests on. */
void time_gate_words(const struct time_report *r, struct buf *out);
