-- An external message that was sent through the service. It stays until its fate is certain, and a while longer. Times are
-- milliseconds since 1970.

create table tonwire_kept.sent_messages (
  hash bytea primary key,
  hash_norm bytea not null,
  boc bytea not null,
  bytes integer not null,
  sent_at bigint not null,
  keep_until bigint not null,
  is_void boolean not null -- the chain was reverted since: the message does not wait any more
);

create index sent_messages_by_norm on tonwire_kept.sent_messages (hash_norm);
create index sent_messages_by_time on tonwire_kept.sent_messages (sent_at desc, bytes);
create index sent_messages_by_end on tonwire_kept.sent_messages (keep_until);
