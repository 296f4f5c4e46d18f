"""graph.py FUNCTIONS RELATIONS SEED: a call graph in the machine form of topo, drawn by chance. Each call leads at most one level down."""
import random
import sys

count, relations, seed = map(int, sys.argv[1:])
chance = random.Random(seed)
FIRST = "vfs ext4 mutex rcu page tcp skb sock inode bio sched timer queue".split()
SECOND = "alloc free lock unlock get put read write lookup insert remove submit wait".split()
names = ["start"] + [f"{chance.choice(FIRST)}_{chance.choice(SECOND)}_{i}" for i in range(1, count)]
parent, depth = [None], [0]
for i in range(1, count):
    parent.append(min(i - 1, chance.randrange(max(0, i // 4 - 3), max(1, i // 2 + 1))))
    depth.append(depth[parent[i]] + 1)
calls = {(parent[i], i) for i in range(1, count)}
while len(calls) < relations:
    a, b = chance.randrange(count), chance.randrange(1, count)
    if depth[b] <= depth[a] + 1 and a != b:
        calls.add((a, b))
local = [chance.randrange(1000, 10 ** 5) * chance.choice([1, 1, 1, 30]) for _ in range(count)]
total = local[:]
for i in range(count - 1, 0, -1):
    total[parent[i]] += total[i]
callers, callees = [[] for _ in names], [[] for _ in names]
for a, b in sorted(calls):
    callees[a].append(names[b])
    callers[b].append(names[a])
for i, name in enumerate(names):
    times = chance.randrange(1, 9)
    print(f"FuncStats({name!r}, {total[i]}, {local[i]}, {[depth[i]] * times}, {times}, {callers[i]}, {callees[i]})")
