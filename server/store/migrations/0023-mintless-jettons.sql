-- What an importer of airdrops fills in for wallets of mintless jettons (TEP-177) that have not claimed theirs.
alter table jetton_wallets
  add column mintless_amount numeric,
  add column mintless_start_from bigint,
  add column mintless_expire_at bigint;

-- Mintless jettons of which a wallet is known. custom_payload_api_uri: services that make the payloads of claims.
create table mintless_jetton_masters (
  address bytea primary key,
  is_indexed boolean not null,
  custom_payload_api_uri text[]
);
