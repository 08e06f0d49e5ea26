-- Requests to jetton wallets and NFT items. source, owner, old_owner: who asked. A payload is a bag of cells.
create table jetton_transfers (
  tx_hash bytea not null,
  tx_lt bigint not null,
  tx_now bigint not null,
  tx_aborted boolean not null,
  mc_seqno integer not null,
  trace_id bytea not null,
  query_id numeric not null,
  response_destination bytea,
  custom_payload bytea,
  source bytea not null,
  destination bytea, -- null: addr_none
  jetton_wallet_address bytea not null,
  jetton_master_address bytea not null,
  amount numeric not null,
  forward_ton_amount numeric not null,
  forward_payload bytea, -- null also for a payload that is not in a reference
  primary key (tx_hash, tx_lt)
) partition by range (tx_lt);
-- jetton/transfers in its order, without and with times, by either owner, by wallet, by jetton
create index jetton_transfers_by_lt on jetton_transfers (tx_lt, tx_hash) where not tx_aborted;
create index jetton_transfers_by_time on jetton_transfers (tx_now, tx_lt, tx_hash) where not tx_aborted;
create index jetton_transfers_by_source on jetton_transfers (source, tx_lt, tx_hash) where not tx_aborted;
create index jetton_transfers_by_source_time on jetton_transfers (source, tx_now, tx_lt, tx_hash) where not tx_aborted;
create index jetton_transfers_by_destination on jetton_transfers (destination, tx_lt, tx_hash) where not tx_aborted;
create index jetton_transfers_by_destination_time on jetton_transfers (destination, tx_now, tx_lt, tx_hash)
  where not tx_aborted;
create index jetton_transfers_by_wallet on jetton_transfers (jetton_wallet_address, tx_lt, tx_hash) where not tx_aborted;
create index jetton_transfers_by_wallet_time on jetton_transfers (jetton_wallet_address, tx_now, tx_lt, tx_hash)
  where not tx_aborted;
create index jetton_transfers_by_master on jetton_transfers (jetton_master_address, tx_lt, tx_hash) where not tx_aborted;
create index jetton_transfers_by_master_time on jetton_transfers (jetton_master_address, tx_now, tx_lt, tx_hash)
  where not tx_aborted;
-- rows of a trace; deleting a range
create index jetton_transfers_by_trace on jetton_transfers (trace_id);
create index jetton_transfers_by_masterchain on jetton_transfers (mc_seqno);

create table jetton_burns (
  tx_hash bytea not null,
  tx_lt bigint not null,
  tx_now bigint not null,
  tx_aborted boolean not null,
  mc_seqno integer not null,
  trace_id bytea not null,
  query_id numeric not null,
  response_destination bytea,
  custom_payload bytea,
  owner bytea not null,
  jetton_wallet_address bytea not null,
  jetton_master_address bytea not null,
  amount numeric not null,
  primary key (tx_hash, tx_lt)
) partition by range (tx_lt);
-- jetton/burns likewise
create index jetton_burns_by_lt on jetton_burns (tx_lt, tx_hash);
create index jetton_burns_by_time on jetton_burns (tx_now, tx_lt, tx_hash);
create index jetton_burns_by_owner on jetton_burns (owner, tx_lt, tx_hash);
create index jetton_burns_by_owner_time on jetton_burns (owner, tx_now, tx_lt, tx_hash);
create index jetton_burns_by_wallet on jetton_burns (jetton_wallet_address, tx_lt, tx_hash);
create index jetton_burns_by_wallet_time on jetton_burns (jetton_wallet_address, tx_now, tx_lt, tx_hash);
create index jetton_burns_by_master on jetton_burns (jetton_master_address, tx_lt, tx_hash);
create index jetton_burns_by_master_time on jetton_burns (jetton_master_address, tx_now, tx_lt, tx_hash);
create index jetton_burns_by_trace on jetton_burns (trace_id);
create index jetton_burns_by_masterchain on jetton_burns (mc_seqno);

create table nft_transfers (
  tx_hash bytea not null,
  tx_lt bigint not null,
  tx_now bigint not null,
  tx_aborted boolean not null,
  mc_seqno integer not null,
  trace_id bytea not null,
  query_id numeric not null,
  response_destination bytea,
  custom_payload bytea,
  nft_item_address bytea not null,
  nft_item_index numeric not null,
  nft_collection_address bytea,
  old_owner bytea not null,
  new_owner bytea,
  forward_amount numeric not null,
  forward_payload bytea,
  primary key (tx_hash, tx_lt)
) partition by range (tx_lt);
-- nft/transfers likewise, by either owner, by item, by collection
create index nft_transfers_by_lt on nft_transfers (tx_lt, tx_hash);
create index nft_transfers_by_time on nft_transfers (tx_now, tx_lt, tx_hash);
create index nft_transfers_by_old_owner on nft_transfers (old_owner, tx_lt, tx_hash);
create index nft_transfers_by_old_owner_time on nft_transfers (old_owner, tx_now, tx_lt, tx_hash);
create index nft_transfers_by_new_owner on nft_transfers (new_owner, tx_lt, tx_hash);
create index nft_transfers_by_new_owner_time on nft_transfers (new_owner, tx_now, tx_lt, tx_hash);
create index nft_transfers_by_item on nft_transfers (nft_item_address, tx_lt, tx_hash);
create index nft_transfers_by_item_time on nft_transfers (nft_item_address, tx_now, tx_lt, tx_hash);
create index nft_transfers_by_collection on nft_transfers (nft_collection_address, tx_lt, tx_hash);
create index nft_transfers_by_collection_time on nft_transfers (nft_collection_address, tx_now, tx_lt, tx_hash);
create index nft_transfers_by_trace on nft_transfers (trace_id);
create index nft_transfers_by_masterchain on nft_transfers (mc_seqno);

-- The slots that have a token event of an account, so that lists read no other partitions.
create table token_slots (
  account bytea not null,
  from_lt bigint not null,
  primary key (account, from_lt)
) partition by hash (account);

do $$
declare
  event text;
  slot slots;
begin
  for part in 0..15 loop
    execute format(
      'create table %I partition of token_slots for values with (modulus 16, remainder %s)
         with (autovacuum_vacuum_insert_scale_factor = 0.02)',
      'token_slots_' || part, part);
  end loop;
  -- Later slots get their partitions when they are made.
  foreach event in array array['jetton_transfers', 'jetton_burns', 'nft_transfers'] loop
    for slot in select * from slots loop
      execute format(
        'create table %I partition of %I for values from (%s) to (%s) with (autovacuum_vacuum_insert_scale_factor = 0.02)',
        event || '_' || slot.from_lt, event, slot.from_lt, slot.to_lt);
    end loop;
  end loop;
end $$;
