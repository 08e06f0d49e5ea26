-- usable by: 4
-- What callers used by each day (UTC), by the first of the keys that replaced one another.

create table tonwire_kept.key_usage (
  key_id text not null,
  day date not null,
  calls bigint not null,
  points bigint not null,
  refused bigint not null,
  primary key (key_id, day)
);

create index key_usage_by_day on tonwire_kept.key_usage (day);

-- The methods and origins that a key is for; null if it has no such limits.
alter table tonwire_kept.api_keys add column rules jsonb;
