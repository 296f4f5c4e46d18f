/*
 * sym_llvm: sym with the options, requests and answers of llvm-symbolizer.
 */
#pragma once

#include "applets/applet.h"

extern const struct applet sym_llvm_applet;

/* The applet's run, when the style is llvm. */
int sym_llvm_run(int argc, char **argv);
