-- Upper case of hex needs no rules of a language, which take many times longer.
create or replace function wire_address(bytea) returns text language sql immutable parallel safe
  as $$ select (get_byte($1, 0) - ((get_byte($1, 0) >> 7) << 8)) || ':' || upper(encode(substr($1, 2), 'hex') collate "C") $$;
create or replace function wire_shard(bigint) returns text language sql immutable parallel safe
  as $$ select upper(to_hex($1) collate "C") $$;
-- Long base64 comes in lines.
create or replace function wire_boc(bytea) returns text language sql immutable parallel safe
  as $$ select replace(encode($1, 'base64'), E'\n', '') $$;
