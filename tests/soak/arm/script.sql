WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<400) SELECT sum(length(printf('%d-%s', x, hex(x)))), count(DISTINCT x%1000), group_concat(x%3) FROM c WHERE x LIKE '%1%';
CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t SELECT value, 'v' || value FROM generate_series(1, 300); CREATE INDEX i ON t(b); SELECT count(*) FROM t WHERE b > 'v2' ORDER BY b;
