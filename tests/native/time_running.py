"""A process that does what it is told on standard input, and says `ok' behind each: four threads wait from the beginning.
touch N: N page faults. thread N, fork N: the same in a new thread, a new process that is waited for. old N: in each of the four
threads. spin S: S seconds of CPU time. nap N: N sleeps, a context switch each."""
import mmap, os, queue, sys, threading, time

def touch(n):
    area = mmap.mmap(-1, n * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    area.madvise(mmap.MADV_NOHUGEPAGE)
    for at in range(0, n * mmap.PAGESIZE, mmap.PAGESIZE):
        area[at] = 1

def in_thread(n):
    t = threading.Thread(target=touch, args=(n,))
    t.start()
    t.join()

def in_process(n):
    pid = os.fork()
    if pid == 0:
        touch(n)
        os._exit(0)
    os.waitpid(pid, 0)

def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

todo, done = queue.Queue(), queue.Queue()
def wait_for_work():
    while True:
        touch(todo.get())
        done.put(1)
        time.sleep(0.2)  # the next piece is another thread's
old = [threading.Thread(target=wait_for_work, daemon=True) for _ in range(4)]
for t in old:
    t.start()
def in_old(n):
    for _ in old:
        todo.put(n)
    for _ in old:
        done.get()

does = {'touch': lambda n: touch(int(n)), 'thread': lambda n: in_thread(int(n)), 'fork': lambda n: in_process(int(n)),
        'old': lambda n: in_old(int(n)), 'spin': lambda s: spin(float(s)),
        'nap': lambda n: [time.sleep(0.001) for _ in range(int(n))]}
print('ok', flush=True)
for line in sys.stdin:
    word, argument = line.split()
    does[word](argument)
    print('ok', flush=True)
