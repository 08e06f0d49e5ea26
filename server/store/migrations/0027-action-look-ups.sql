-- Accounts of which the classification of a trace knew nothing while blocks before it were missing: once those are
-- stored, the trace is classified again if they tell of the account.
create table unknown_contracts (
  trace_id bytea not null,
  account bytea not null,
  chain_from integer not null, -- the first of the blocks without a gap up to the trace
  mc_seqno integer not null, -- the last block of the trace
  primary key (trace_id, account)
);
-- Those whose earlier blocks have been stored since
create index unknown_contracts_by_chain on unknown_contracts (chain_from);

-- step: index the transactions that activated accounts
-- Few transactions do, however many an account has.
create index transactions_by_activation on transactions (account, lt) where end_status = 3 and orig_status <> 3;

-- What the operator calls marketplaces, and the collections of those that have no address
create table marketplace_names (
  address bytea primary key,
  name text not null
);
