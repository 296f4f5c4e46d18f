#include "core/stacks/summary.h"

#include "core/text/json.h"

void stacks_ends_json(const struct stacks_ends *e, struct json *j)
{
    if (!e->unwound)
        return;
    json_object(j, "chains");
    json_u64(j, "unwound", e->unwound);
    json_u64(j, "whole", e->whole);
    json_u64(j, "by_code", e->by_code);
    json_u64(j, "guessed", e->guessed);
    json_u64(j, "late", e->from_cache);
    json_array(j, "broken");
    for (size_t i = 0; i < e->broken_count; i++) {
        json_object(j, NULL);
        json_str(j, "reason", e->broken[i].reason);
        json_str(j, "module", e->broken[i].module);
        if (e->broken[i].pid)
            json_u64(j, "pid", e->broken[i].pid);
        json_u64(j, "chains", e->broken[i].chains);
        json_object_end(j);
    }
    json_array_end(j);
    json_object_end(j);
}

void stacks_waits_json(const struct stacks_waits *w, struct json *j)
{
    if (!w->sampled)
        return;
    json_object(j, "waits");
    json_u64(j, "count", w->count);
    json_u64(j, "running_ms", w->running_ms);
    json_u64(j, "wait_ms", w->wait_ms);
    json_u64(j, "asleep_ms", w->asleep_ms);
    json_u64(j, "preempted_ms", w->preempted_ms);
    json_u64(j, "end_lost", w->end_lost);
    json_u64(j, "spanning_lost", w->spanning_lost);
    json_object_end(j);
}
