"""A real program to profile: it spends its time in the interpreter and in the C code of zlib, sqlite3, json, re and sort.
Prints one line. About four seconds on a PC."""
import json
import re
import sqlite3
import sys
import zlib


def records(n):
    """The interpreter itself."""
    seed, out = 1, []
    for i in range(n):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        out.append({"id": i, "name": "part-%05d" % (seed % 50000), "price": seed % 9973 / 100, "tags": [seed % 7, seed % 11]})
    return out


def store(rows):
    db = sqlite3.connect(":memory:")
    db.execute("create table part (id integer primary key, name text, price real)")
    db.executemany("insert into part values (:id, :name, :price)", rows)
    return db.execute("select count(*) from (select name, sum(price) s from part group by name order by s desc)").fetchone()[0]


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 350000
    rows = records(n)
    text = json.dumps(rows)
    packed = zlib.compress(text.encode(), 6)
    back = json.loads(zlib.decompress(packed))
    names = store(rows)
    found = len(re.findall(r'"name": "part-(\d*7\d*)3"', text))
    ordered = sorted(back, key=lambda r: (r["price"], r["name"]))
    print(f"{n} records, {len(text)} bytes of JSON, {len(packed)} packed, {names} names, {found} found, dearest {ordered[-1]['name']}")


main()
