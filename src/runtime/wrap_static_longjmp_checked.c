#include "wrap.h"

WRAP_JUMP(__longjmp_chk)
