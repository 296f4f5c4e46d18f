create table t(a, b);
insert into t values (1, 'x'), (3, 'y'), (2, 'z');
create index i on t(b);
select a + 1, upper(b), printf('%d', a) from t where a > 0 order by b desc;
select count(*), group_concat(b) from t group by a % 2 having count(*) > 0;
update t set a = a * 2 where b like 'x%';
delete from t where a in (select max(a) from t);
.schema
.tables
