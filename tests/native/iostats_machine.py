# Known work for iostats -a: knownself writes and reads a file and says what /proc/self/io has of it. It waits
# for the end of standard input, so that it is there in the last reading. `check' compares.
import os, sys

def named(name):
    with open("/proc/self/comm", "w") as f:
        f.write(name)

def counters():
    with open("/proc/self/io") as f:
        return {k.rstrip(":"): int(v) for k, v in (line.split() for line in f)}

def work(folder):
    named("knownself")
    before = counters()
    path = os.path.join(folder, "file")
    fd = os.open(path, os.O_CREAT | os.O_RDWR)
    for _ in range(50):
        os.write(fd, b"x" * 100000)
    os.fsync(fd)
    for i in range(200):
        os.pread(fd, 100000, i % 50 * 100000)
    # What it did before may be that of other programs, which have rows of their own: a wrapper of the interpreter.
    return before, counters()

def check(report, own, children, pid):
    import json
    reports = [json.loads(line) for line in open(report)]
    rows = [p for r in reports for p in r["processes"]]
    own, children = (json.load(open(f)) for f in (own, children))
    def sums(key, *names):
        return sum(p[key] for p in rows if p["program"] in names)
    def of_self(key):
        return sum(p[key] for p in rows if p.get("pid") == int(pid))
    def near(what, is_, want, slack):
        print("ok" if want <= is_ <= want + slack else "FAILED", f"{what}: {is_}, want {want}")
    def between(what, is_, key, slack):
        before, after = own[0][key], own[1][key]
        near(what, is_, after - before, before + slack)
    between("bytes of calls written", of_self("written_bytes"), "wchar", 4096)
    between("bytes of calls read, from the cache", of_self("read_bytes"), "rchar", 4096)
    between("calls", of_self("writes"), "syscw", 4)
    between("bytes to be written to a device", of_self("disk_written_bytes"), "write_bytes", 65536)
    between("bytes read from a device", of_self("disk_read_bytes"), "read_bytes", 65536)
    near("what short children wrote, once", sums("written_bytes", "knownmany", "knownmany (ended)", "knownhead"),
         children["wchar"], 100000)
    near("of it a row that no reading saw", int(sums("written_bytes", "knownmany (ended)") > 0), 1, 0)
    near("all rows and the total", sum(r["total"]["written_bytes"] for r in reports), sum(p["written_bytes"] for p in rows), 0)
    print("the end")

if __name__ == "__main__":
    import json
    if sys.argv[1] == "check":
        check(*sys.argv[2:])
    else:
        done = work(sys.argv[2])
        with open(sys.argv[3], "w") as f:
            json.dump(done, f)
        sys.stdin.read()
