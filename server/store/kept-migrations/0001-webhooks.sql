-- Webhooks: where events are delivered, and what has been delivered. Times are milliseconds since 1970.

create table tonwire_kept.webhooks (
  id text primary key,
  -- Id of the key that has it.
  key_id text not null,
  url text not null,
  -- What was asked for.
  choice jsonb not null,
  -- Accounts and jettons in the choice, and whether it has everything of its kind: what the key's plan limits.
  accounts integer not null,
  firehose boolean not null,
  secret text not null,
  -- The secret before it signs as well, until then.
  old_secret text,
  old_secret_until bigint,
  created_at bigint not null,
  -- Everything up to here has been delivered.
  cursor text not null,
  -- Grows with each change by its owner.
  version integer not null default 0,
  -- How often its owner has set the cursor: what was delivered before then does not move it.
  replays integer not null default 0,
  -- Why nothing is delivered.
  paused text,
  -- Since the last success.
  failures integer not null default 0,
  failing_since bigint,
  failure text,
  next_attempt_at bigint,
  -- The process that delivers, and whether it is doing so.
  worker bigint,
  sending boolean not null default false,
  -- Attempts so far.
  attempts bigint not null default 0
);

create index webhooks_key on tonwire_kept.webhooks (key_id, created_at, id);
create index webhooks_worker on tonwire_kept.webhooks (worker);

-- The last attempts of each webhook.
create table tonwire_kept.webhook_attempts (
  webhook text not null references tonwire_kept.webhooks on delete cascade,
  number bigint not null,
  at bigint not null,
  duration_ms integer not null,
  events integer not null,
  after_cursor text not null,
  cursor text not null,
  status integer,
  failure text,
  primary key (webhook, number)
);
