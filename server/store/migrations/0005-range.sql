-- A range that is planned and not yet begun says nothing of what the newest block is.
create or replace view indexed_range as
  select
    (select max(from_seqno) from index_ranges
     where not joined and done_to >= from_seqno and from_seqno <= newest.done_to) as first,
    newest.done_to as last
  from (select max(done_to) as done_to from index_ranges where done_to >= from_seqno) as newest
  where newest.done_to is not null;
