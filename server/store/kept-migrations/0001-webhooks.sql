-- Webhooks: where events are delivered, and what has been delivered. Times are milliseconds since 1970.

create table tonwire_kept.webhooks (
  id text primary key,
  -- The id of the key that created it.
  key_id text not null,
  url text not null,
  -- Parameters of the subscription that selects its events.
  filter jsonb not null,
  secret text not null,
  created_at bigint not null,
  -- Everything up to here has been delivered.
  cursor text not null
);

create index webhooks_key on tonwire_kept.webhooks (key_id, created_at);
