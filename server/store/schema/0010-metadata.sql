-- Names and pictures from outside of the chain.

-- A link of a token to metadata, with these once they are fetched, and its place in the queue of links to fetch. Answers
-- ignore the row once the contract has another link.
create table address_metadata (
  address bytea not null,
  type smallint not null, -- a place in the list of tables/metadata.ts
  url text not null,
  valid boolean, -- whether the last fetch ended with metadata; null until one has ended
  name text,
  symbol text,
  description text,
  image text,
  extra jsonb,
  error text, -- why the last try failed
  expires_at bigint, -- in milliseconds, as next_try_at; null until a fetch has ended
  tries smallint not null,
  next_try_at bigint, -- null while nothing is to be fetched; 0 for links that answers asked for
  primary key (address, type)
);
-- search
create index address_metadata_by_name on address_metadata (type, search_key(name) collate "C", address)
  where valid and name is not null;
create index address_metadata_by_symbol on address_metadata (type, search_key(symbol) collate "C", address)
  where valid and symbol is not null;
create index address_metadata_to_fetch on address_metadata (next_try_at) where next_try_at is not null;

-- The operator's words about a token, from a file of the settings. They win over the token's own.
create table address_metadata_flags (
  address bytea primary key,
  is_nsfw boolean not null,
  is_scam boolean not null,
  fields jsonb not null
);
-- search
create index address_metadata_flags_by_name on address_metadata_flags (search_key(fields ->> 'name') collate "C", address)
  where fields ->> 'name' is not null;

-- The operator's name for a marketplace, from a file of the settings. A marketplace without an address has a row for each of
-- its collections.
create table marketplace_names (
  address bytea primary key,
  name text not null
);
