-- usable by: 3
-- Whether events may be delivered to programs on this machine: the URL was set by a caller there, or with the devnet's own key.
alter table tonwire_kept.webhooks add column loopback boolean not null default false;

-- Only such callers are owners by this name.
update tonwire_kept.webhooks set loopback = true where key_id = 'devnet';
