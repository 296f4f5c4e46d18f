# In gdb, with a core file: `thread ID' and a line `PC NAME' of each frame that has a place of its own, at most MOST of a thread.
import gdb

MOST = 3000
for what in 'main', 'entry':
    gdb.execute('set backtrace past-%s on' % what)
for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.ptid[1]):
    thread.switch()
    print('thread', thread.ptid[1])
    frame, count = gdb.newest_frame(), 0
    while frame and count < MOST:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            print('0x%x %s' % (frame.pc(), frame.name() or '??'))
            count += 1
        try:
            frame = frame.older()
        except gdb.error:
            break
