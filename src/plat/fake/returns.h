/*
 * returns: functions of include/plat that are not here, or always do the same: what they return
 * (nothing of void), their type, name and parameters.
 */
#pragma once

#define RETURNS(value, type, name, ...)                                                            \
    type name(__VA_ARGS__)                                                                         \
    {                                                                                              \
        return value;                                                                              \
    }
