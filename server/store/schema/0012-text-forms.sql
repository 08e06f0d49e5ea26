-- The text forms of values in answers, for statements that write JSON. The planner must be able to put these expressions in
-- place of the calls, which a function that counts as less than immutable prevents.

create function wire_hash(bytea) returns text language sql immutable parallel safe
  as $$ select encode($1, 'base64') $$;

-- encode() breaks long base64 into lines.
create function wire_boc(bytea) returns text language sql immutable parallel safe
  as $$ select replace(encode($1, 'base64'), E'\n', '') $$;

-- Nearly all addresses are of two workchains, whose texts are constants. The cast of others keeps the expression immutable: a
-- number beside a text is not. The collation "C" is for speed: with the rules of a language, upper() takes many times longer.
create function wire_address(bytea) returns text language sql immutable parallel safe
  as $$ select case get_byte($1, 0) when 0 then '0:' when 255 then '-1:'
    else (get_byte($1, 0) - ((get_byte($1, 0) >> 7) << 8))::text || ':' end || upper(encode(substr($1, 2), 'hex') collate "C") $$;

create function wire_shard(bigint) returns text language sql immutable parallel safe
  as $$ select upper(to_hex($1) collate "C") $$;

create function wire_opcode(integer) returns text language sql immutable parallel safe
  as $$ select '0x' || lpad(to_hex($1), 8, '0') $$;

create function wire_block_id(workchain integer, shard bigint, seqno integer) returns json
  language sql stable parallel safe
  as $$ select json_build_object('workchain', $1, 'shard', wire_shard($2), 'seqno', $3) $$;
