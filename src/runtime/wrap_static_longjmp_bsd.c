#include "wrap.h"

WRAP_JUMP(_longjmp)
