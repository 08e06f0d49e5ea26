-- step: count the transactions of accounts in slots
alter table account_slots add column n integer not null default 0;
update account_slots a set n = counted.n
from (
  select t.account, s.from_lt, count(*) as n
  from slots s join transactions t on t.lt >= s.from_lt and t.lt < s.to_lt
  group by 1, 2) counted
where a.account = counted.account and a.from_lt = counted.from_lt;
alter table account_slots alter column n drop default;

-- step: note the times of the traces of accounts
-- Of a trace that is not complete both ends are the largest bigint.
alter table account_traces add column end_utime bigint not null default 9223372036854775807;
update account_traces a set end_utime = t.end_utime from traces t where t.trace_id = a.trace_id and t.state <> 0;
alter table account_traces alter column end_utime drop default;
create index account_traces_by_time on account_traces (account, end_utime, trace_id);

-- step: note the slots of opcodes
-- The slots that may have a message with an opcode. There are few opcodes, and most are in few slots.
create table opcode_slots (
  opcode integer not null,
  from_lt bigint not null,
  primary key (opcode, from_lt)
);
insert into opcode_slots
select distinct m.opcode, s.from_lt
from slots s join messages m on m.tx_lt >= s.from_lt and m.tx_lt < s.to_lt
where m.opcode is not null;

-- step: index transactions by shard
-- /transactions by shard, and by block, whose lt are known
create index transactions_by_shard on transactions (block_workchain, block_shard, lt, account);
drop index transactions_by_block;

-- masterchainInfo, beside many ranges that are planned and not begun
create index index_ranges_by_done on index_ranges (done_to) where done_to >= from_seqno;
