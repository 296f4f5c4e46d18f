/*
 * private: what the forms of doctor's report share.
 */
#pragma once

#include "core/base/buf.h"
#include "core/doctor/doctor.h"
#include "core/text/table.h"

enum { DOCTOR_WIDTH = 80 };

/* DOCTOR_SHORT: the remedies of what is missing, which end the report. */
struct remedies {
    struct buf options; /* of the kernel, each once, with a blank before it */
    struct buf others;  /* each once, with "; " between */
};

/* A row for what is missing of an applet; the system; the remedies. 0 or -ENOMEM. */
void doctor_short_row(struct table *t, const char *applet, const struct verdict *v,
                      struct remedies *r);
int doctor_short_system(const struct machine *m, struct remedies *r, struct buf *out);
int doctor_short_remedies(const struct remedies *r, struct buf *out);
