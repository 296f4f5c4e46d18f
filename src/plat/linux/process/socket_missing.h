/* socket_missing: which option a kernel lacks that has no sockets, or none of a family. */
#pragma once

#include "core/base/fail.h"

/* socket(2) or socketpair(2) failed for this family with err: adds the option as a hint to f, if
 * that is the cause. */
void socket_missing_hint(int family, int err, struct fail *f);
