-- Webhooks: where events are delivered, and which have been. Times are milliseconds since 1970.

create table tonwire_kept.webhooks (
  id text primary key,
  key_id text not null, -- the API key that owns it
  url text not null,
  choice jsonb not null, -- the events that its owner asked for
  -- Accounts and jettons in the choice, and whether it has all events of its kind: the key's plan limits both.
  accounts integer not null,
  firehose boolean not null,
  secret text not null,
  old_secret text, -- the secret before it, which signs as well until old_secret_until
  old_secret_until bigint,
  created_at bigint not null,
  cursor text not null, -- all events up to here have been delivered
  version integer not null default 0, -- grows with each change by its owner
  -- How often its owner has set the cursor. A delivery that began before does not move the cursor.
  replays integer not null default 0,
  paused text, -- why nothing is delivered
  failures integer not null default 0, -- since the last success, like the next three
  failing_since bigint,
  failure text,
  next_attempt_at bigint,
  worker bigint, -- the process that delivers
  sending boolean not null default false, -- whether that process has an attempt under way
  attempts bigint not null default 0 -- attempts so far
);

create index webhooks_key on tonwire_kept.webhooks (key_id, created_at, id);
create index webhooks_worker on tonwire_kept.webhooks (worker);

-- One of the last attempts of a webhook.
create table tonwire_kept.webhook_attempts (
  webhook text not null references tonwire_kept.webhooks on delete cascade,
  number bigint not null,
  at bigint not null,
  duration_ms integer not null,
  events integer not null,
  after_cursor text not null, -- its events follow this one
  cursor text not null, -- and end here
  status integer,
  failure text,
  primary key (webhook, number)
);
