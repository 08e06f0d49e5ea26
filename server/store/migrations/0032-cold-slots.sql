-- Old slots are merged: directories, which name slots, first, then the partitions of each table.
alter table slots add column merged boolean not null default false;

-- Changes of partitions while these are merged, by the table and the start of the merged slot: a copy that was made before
-- cannot take their place. Triggers of these partitions write them, one for each transaction.
create table slot_changes (
  table_name text not null,
  from_lt bigint not null
);

create function note_slot_change() returns trigger language plpgsql as $$
declare noted text := 'tonwire.change_' || tg_argv[0] || '_' || tg_argv[1];
begin
  if current_setting(noted, true) is distinct from 'noted' then
    insert into slot_changes values (tg_argv[0], tg_argv[1]::bigint);
    perform set_config(noted, 'noted', true);
  end if;
  return null;
end $$;
