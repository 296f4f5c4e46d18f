#include "core/probe/plan.h"

const struct probe_words probe_ways[PROBE_WAYS] = {
    [PROBE_REFUSED] = {"refused", "cannot be patched"},
    [PROBE_NOPS] = {"nops", "padding for a patch"},
    [PROBE_LANDING] = {"endbr64", "ENDBR64"},
    [PROBE_FIRST] = {"first", "first instruction"},
    [PROBE_SEVERAL] = {"several", "several instructions"},
    [PROBE_SECOND] = {"second", "second instruction"}};

const struct probe_words probe_reasons[PROBE_REASONS] = {
    [PROBE_NO_REASON] = {"none", "none"},
    [PROBE_UNKNOWN_CODE] = {"unknown_instruction", "unknown instruction"},
    [PROBE_SHORT] = {"short", "shorter than a jump"},
    [PROBE_JUMP_TARGET] = {"jump_target", "jump into the first bytes"},
    [PROBE_CALL_INSIDE] = {"call", "call in the first bytes"},
    [PROBE_STACK_OPERAND] = {"stack_operand", "call through the stack"},
    [PROBE_UNKNOWN_JUMP] = {"unknown_jump", "jump to an unknown place"},
    [PROBE_NOT_MOVED] = {"not_movable", "instruction that cannot be moved"}};

const struct probe_words probe_returns[PROBE_RETURNS] = {
    [PROBE_RETURN_HOOKED] = {"hooked", "entry and return"},
    [PROBE_RETURN_READ] = {"reads_return_address", "uses its return address"},
    [PROBE_RETURN_NAMED] = {"by_name", "returns twice, switches stacks or unwinds"},
    [PROBE_RETURN_LOST] = {"unknown_slot", "place of its return address not known"}};
