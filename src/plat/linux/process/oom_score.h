/*
 * oom_score: oom_score_adj of this process (proc(5)), which the kernel adds to what it chooses by
 * when it kills a process because memory ran out: -1000 never, 1000 first.
 */
#pragma once

/* In a child: gives it back what it was before limits_first_victim. Also after vfork: the kernel
 * then changes the child's alone. */
void oom_score_restore(void);
