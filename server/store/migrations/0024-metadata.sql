-- Metadata that tokens link to, and the queue of links to fetch. A row is of one link: answers ignore it once the contract
-- has another one.
create table address_metadata (
  address bytea not null,
  type smallint not null,
  url text not null,
  valid boolean, -- null until a fetch has ended
  name text,
  symbol text,
  description text,
  image text,
  extra jsonb,
  error text, -- why the last try failed
  expires_at bigint, -- in milliseconds, as next_try_at; null until a fetch has ended
  tries smallint not null,
  next_try_at bigint, -- null while nothing is to be fetched; 0 for what an answer asked for
  primary key (address, type)
);
create index address_metadata_to_fetch on address_metadata (next_try_at) where next_try_at is not null;

-- What the operator says of tokens: it wins over what they say of themselves.
create table address_metadata_flags (
  address bytea primary key,
  is_nsfw boolean not null,
  is_scam boolean not null,
  fields jsonb not null
);
