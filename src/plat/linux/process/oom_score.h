/*
 * oom_score: oom_score_adj of this process (proc(5)), which the kernel adds to what it chooses by
 * when it kills a process because memory ran out: -1000 never, 1000 first.
 */
#pragma once

/* Remembers it and makes it 1000, which needs no privilege. Where it is 1000 already, or /proc is
 * missing, nothing is done. */
void oom_score_raise(void);

/* In a child: gives it back what it was before. Also after vfork: the kernel then changes the
 * child's alone. */
void oom_score_restore(void);
