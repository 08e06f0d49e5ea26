-- Bodies and state inits once in every slot that has a message with them, so that those of a time are stored and read
-- together.
alter table message_contents rename to old_message_contents;
alter index message_contents_pkey rename to old_message_contents_pkey;
create table message_contents (
  hash bytea not null,
  body bytea not null,
  from_lt bigint not null, -- where the slot begins
  primary key (hash, from_lt)
) partition by range (from_lt);

-- The slots that may have a message with a body, by the first eight bytes of its hash.
create table body_slots (
  hash_prefix bigint not null,
  from_lt bigint not null,
  primary key (hash_prefix, from_lt)
) partition by hash (hash_prefix);

do $$
declare slot record;
begin
  for part in 0..15 loop
    execute format(
      'create table body_slots_%s partition of body_slots for values with (modulus 16, remainder %s)
         with (autovacuum_vacuum_insert_scale_factor = 0.02)', part, part);
  end loop;
  for slot in select from_lt, to_lt from slots loop
    execute format(
      'create table message_contents_%1$s partition of message_contents for values from (%1$s) to (%2$s)
         with (autovacuum_vacuum_insert_scale_factor = 0.02)',
      slot.from_lt, slot.to_lt);
  end loop;
end $$;

-- step: note the slots of bodies
insert into body_slots
select distinct hash_prefix(m.body_hash), s.from_lt
from slots s join messages m on m.tx_lt >= s.from_lt and m.tx_lt < s.to_lt;

-- step: move bodies and state inits
insert into message_contents (hash, body, from_lt)
select o.hash, o.body, used.from_lt
from (
  select m.body_hash as hash, s.from_lt
  from slots s join messages m on m.tx_lt >= s.from_lt and m.tx_lt < s.to_lt
  union
  select m.init_state_hash, s.from_lt
  from slots s join messages m on m.tx_lt >= s.from_lt and m.tx_lt < s.to_lt) used
join old_message_contents o on o.hash = used.hash;

drop table old_message_contents;
