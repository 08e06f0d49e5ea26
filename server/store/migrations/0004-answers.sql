-- The text forms of answers. Written so that the planner puts the expressions in their place.
create function wire_hash(bytea) returns text language sql immutable parallel safe
  as $$ select encode($1, 'base64') $$;
-- Long base64 comes in lines.
create function wire_boc(bytea) returns text language sql immutable parallel safe
  as $$ select translate(encode($1, 'base64'), E'\n', '') $$;
create function wire_address(bytea) returns text language sql immutable parallel safe
  as $$ select (get_byte($1, 0) - ((get_byte($1, 0) >> 7) << 8)) || ':' || upper(encode(substr($1, 2), 'hex')) $$;
create function wire_shard(bigint) returns text language sql immutable parallel safe
  as $$ select upper(to_hex($1)) $$;
create function wire_opcode(integer) returns text language sql immutable parallel safe
  as $$ select '0x' || lpad(to_hex($1), 8, '0') $$;
create function wire_block_id(workchain integer, shard bigint, seqno integer) returns json
  language sql stable parallel safe
  as $$ select json_build_object('workchain', $1, 'shard', wire_shard($2), 'seqno', $3) $$;

-- /traces in its orders: a trace that is not complete has no end yet and counts as newer than all that have.
drop index traces_by_lt;
drop index traces_by_time;
create index traces_by_lt on traces ((case when state = 0 then null else end_lt end), trace_id);
create index traces_by_time on traces ((case when state = 0 then null else end_utime end), trace_id);
