/*
 * btf: types in the BPF Type Format, as the kernel shows its own in /sys/kernel/btf (since Linux
 * 5.4, if it was built with CONFIG_DEBUG_INFO_BTF). The format:
 * https://docs.kernel.org/bpf/btf.html
 */
#pragma once

#include "core/base/fail.h"
#include "core/types/types.h"

/* BTF_MAGIC: its first two bytes, in the byte order of the rest. */
enum { BTF_MOST_BYTES = 64 << 20, BTF_MAGIC = 0xeb9f };

/* Reads all types and functions into out, which is empty. Names point into the bytes, which must
 * outlive it. Either byte order. 0; -ENOEXEC when the bytes are no BTF or are damaged, -ENOMEM;
 * f->what is the reason. types_release either way. */
int btf_read(const uint8_t *bytes, size_t len, struct types *out, struct fail *f);

/* The same of a kernel module's, which continues the types of the kernel: `base' are the kernel's
 * bytes, which were read before into out. */
int btf_read_split(const uint8_t *base, size_t base_len, const uint8_t *bytes, size_t len,
                   struct types *out, struct fail *f);
