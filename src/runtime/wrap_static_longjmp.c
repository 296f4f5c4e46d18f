#include "wrap.h"

WRAP_JUMP(longjmp)
