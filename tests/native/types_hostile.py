"""types_hostile.py PSUITE PROGRAM COUNT SECONDS [SEED]: runs `sym --signature --struct' on so many damaged copies of the program; each
must end by itself within the time, with status 0 or 1. Then the confined process is killed while it reads. Prints what went
wrong, and how many copies were read and refused."""
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

ARGUMENTS = ['--signature=main', '--signature=helper', '--signature=walk', '--struct=ns::Derived', '--struct=node']


def debug_sections(program):
    """(offset, size) of the sections that types are read from"""
    listing = subprocess.run(['readelf', '-SW', program], capture_output=True, text=True, check=True).stdout
    places = []
    for line in listing.splitlines():
        words = line.replace('[ ', '[').split()
        if len(words) > 6 and words[1].startswith(('.debug_info', '.debug_abbrev', '.debug_str', '.debug_rnglists', '.symtab')):
            places.append((int(words[4], 16), int(words[5], 16)))
    return places


def damage(image, places, chance):
    copy = bytearray(image)
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        offset, size = chance.choice(places)
        at = offset + chance.randrange(size)
        kind = chance.randrange(3)
        if kind == 0:
            copy[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            copy[at] = chance.choice((0, 1, 0x7f, 0x80, 0xff))
        else:
            other = offset + chance.randrange(size)
            length = min(chance.randrange(1, 32), len(copy) - max(at, other))
            copy[at:at + length] = copy[other:other + length]
    if chance.randrange(20) == 0:
        del copy[chance.randrange(len(copy)):]
    return copy


def run_damaged(psuite, program, count, seconds, seed):
    image, places, chance = open(program, 'rb').read(), debug_sections(program), random.Random(seed)
    statuses, slowest = {}, 0.0
    with tempfile.NamedTemporaryFile() as file:
        for number in range(count):
            with open(file.name, 'wb') as out:
                out.write(damage(image, places, chance))
            start = time.monotonic()
            run = subprocess.run([psuite, 'sym', *ARGUMENTS, file.name], capture_output=True, timeout=seconds, check=False)
            slowest = max(slowest, time.monotonic() - start)
            statuses[run.returncode] = statuses.get(run.returncode, 0) + 1
            if run.returncode not in (0, 1):
                print(f'damaged copy {number}: exit status {run.returncode}: {run.stderr[:300]}')
    return statuses, slowest


def child_of(pid):
    try:
        return [int(word) for word in open(f'/proc/{pid}/task/{pid}/children').read().split()]
    except OSError:
        return []


def run_killed(psuite, program):
    """The confined process is killed as soon as it is there: psuite says so, and fails."""
    process = subprocess.Popen([psuite, 'sym', '--signature=main', program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None:
        for child in child_of(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
    text = process.communicate()[1].decode()
    return process.returncode == 1 and 'crashed with SIGKILL' in text


def main():
    psuite, program, count, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    try:
        statuses, slowest = run_damaged(psuite, program, count, seconds, int(sys.argv[5]) if len(sys.argv) > 5 else 29)
    except subprocess.TimeoutExpired:
        print(f'a damaged copy took over {seconds} s')
        return
    killed = sum(run_killed(psuite, psuite) for _ in range(10))
    if not killed:
        print('no run said that its process was killed')
    print(f'{statuses.get(0, 0)} read, {statuses.get(1, 0)} refused; at most {slowest:.1f} s; killed: {killed}', file=sys.stderr)


main()
