def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class A:
    def __init__(s, v): s.v = v
    def __lt__(s, o): return s.v < o.v
def g():
    for i in range(20):
        try: raise ValueError(i)
        except ValueError as e: yield str(e)
print(fib(10), sorted([A(i * 7 % 13) for i in range(40)])[0].v, list(g())[:3], "%r" % {i: str(i) * 3 for i in range(100)}, sum(float(i) ** .5 for i in range(300)))
