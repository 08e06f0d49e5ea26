-- Joined ranges become one. Only the range at the head, which its worker knows by its first block, stays marked as joined.
with chains as (
  select from_seqno, to_seqno, done_to, count(*) filter (where not joined) over (order by from_seqno) as chain
  from index_ranges where to_seqno < 2147483647
), merged as (
  select min(from_seqno) as from_seqno, max(to_seqno) as to_seqno, max(done_to) as done_to
  from chains group by chain having count(*) > 1
)
update index_ranges r set to_seqno = merged.to_seqno, done_to = merged.done_to
from merged where r.from_seqno = merged.from_seqno;
delete from index_ranges where joined and to_seqno < 2147483647;
