"""gdbstops: stops a program at random instants under gdb, and writes what an unwinder gets (registers, stack,
mappings) beside the chain that gdb finds there: what tests/tools/unwinddump.c reads.

  gdb -nx -batch -ex 'py out="FILE"; stops=200; most_ms=30; first_ms=300; arguments="..."' \
    -x gdbstops.py PROGRAM

Every thread of a stop counts. A program that ends is started again.
"""
import gdb
import os
import random
import subprocess

DWARF = ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"] + ["r%d" % i for i in range(8, 16)]
FRAMES = 4000


def quiet(command):
    return gdb.execute(command, to_string=True)


def maps_of(pid):
    with open("/proc/%d/maps" % pid) as f:
        return f.read()


def ranges(maps):
    for line in maps.splitlines():
        start, end = (int(x, 16) for x in line.split()[0].split("-"))
        yield start, end, line


def number(name):
    return int(gdb.selected_frame().read_register(name)) & (2**64 - 1)


def chain():
    frame, found = gdb.newest_frame(), []
    while frame is not None and len(found) < FRAMES:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):  # they are not on the stack
            found.append((frame.pc(), "signal" if frame.type() == gdb.SIGTRAMP_FRAME else "normal"))
        try:
            frame = frame.older()
        except gdb.error:
            break
    return found


def memory(start, length):
    return bytes(gdb.selected_inferior().read_memory(start, length))


def write_stack(to, start, end):
    to.write(b"stack %x %d\n" % (start, end - start) + memory(start, end - start))


def write_stop(to, maps):
    gdb.newest_frame().select()
    values = [number(name) for name in DWARF]
    pc, sp = number("rip"), values[7]
    to.write(b"stop\nregs pc=%x" % pc)
    for i, value in enumerate(values):
        to.write(b" %d=%x" % (i, value))
    to.write(b"\n")
    for start, end, line in ranges(maps):
        if start <= sp < end:
            write_stack(to, max(sp - 128, start), end)
        elif line.endswith("[stack]"):  # a signal's handler may be on another
            write_stack(to, start, end)
    for pc, kind in chain():
        to.write(b"frame %x %s\n" % (pc, kind.encode()))
    to.write(b"end\n")


def write_state(to, maps):
    text = maps.encode()
    to.write(b"maps %d\n" % len(text) + text)


def write_images(to, maps):
    for start, end, line in ranges(maps):
        if line.endswith("[vdso]"):
            to.write(b"image [vdso] %d\n" % (end - start) + memory(start, end - start))


def alive():
    return gdb.selected_inferior().pid != 0


def run_on(delay_ms):
    pid = gdb.selected_inferior().pid
    subprocess.Popen(["sh", "-c", "sleep %f; kill -INT %d 2>/dev/null" % (delay_ms / 1000.0, pid)])
    quiet("continue")


def one_round(to, written):
    if not alive():
        quiet("starti")
        run_on(first_ms)  # gdb is busy with the libraries until then
        if not alive():
            return 0
    run_on(random.uniform(1, most_ms))
    if not alive():
        return 0
    maps = maps_of(gdb.selected_inferior().pid)
    if not written:
        write_images(to, maps)
    write_state(to, maps)
    threads = gdb.selected_inferior().threads()
    for thread in threads:
        thread.switch()
        write_stop(to, maps)
    return len(threads)


def main():
    for setting in ("pagination off", "confirm off", "backtrace past-main on", "backtrace past-entry off",
                    "backtrace limit %d" % FRAMES, "debuginfod enabled off", "print thread-events off",
                    "print inferior-events off", "auto-solib-add on"):
        try:
            quiet("set " + setting)
        except gdb.error:
            pass
    quiet("handle SIGINT stop print nopass")
    for name in ("SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGSEGV"):
        quiet("handle %s nostop noprint pass" % name)
    quiet("set args %s >/dev/null 2>&1 </dev/null" % arguments)
    random.seed(1)
    done, tries = 0, 0
    with open(out, "wb") as to:
        while done < stops and tries < 20 * stops:
            tries += 1
            done += one_round(to, done)
    if alive():
        quiet("kill")
    print("%d stops" % done)


main()
