-- API keys of callers, and the plans that the operator made. Times are milliseconds since 1970.

create table tonwire_kept.api_keys (
  id text primary key,
  number bigint generated always as identity, -- in the order of creation
  hash bytea not null, -- SHA-256 of the key
  owner text not null, -- the first of the keys that replaced one another up to this one
  network text not null,
  plan text not null,
  label text not null,
  created_at bigint not null,
  expires_at bigint,
  replaced_by text,
  revoked_at bigint,
  version bigint not null -- of api_keys_version, at the last change
);

create index api_keys_by_version on tonwire_kept.api_keys (version);

create table tonwire_kept.api_plans (
  name text primary key,
  limits jsonb not null
);

-- One row. Every change raises n, and notifies the channel tonwire_keys of it.
create table tonwire_kept.api_keys_version (
  n bigint not null,
  removed bigint not null -- n of the last change that removed keys
);

insert into tonwire_kept.api_keys_version values (0, 0);
