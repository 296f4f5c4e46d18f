/*
 * private: what the forms of doctor's report share.
 */
#pragma once

#include "core/doctor/doctor.h"

enum { DOCTOR_WIDTH = 80 };

/* Whether something of it would work for root; and what does that for all of it. */
bool doctor_wants_privilege(const struct verdict *v);
void doctor_privilege_text(const struct machine *m, struct buf *out);

bool doctor_has_row(const struct doctor_row *row, doctor_is_built *is_built);

/* DOCTOR_SHORT. 0 or -ENOMEM. */
int doctor_short_text(const struct machine *m, doctor_is_built *is_built, struct buf *out);
