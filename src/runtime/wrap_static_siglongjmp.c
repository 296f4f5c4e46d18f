#include "wrap.h"

WRAP_JUMP(siglongjmp)
