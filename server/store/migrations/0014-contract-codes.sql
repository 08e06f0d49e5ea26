-- Code cells, each once, as a bag of cells; an account names its code by the hash.
create table contract_codes (
  code_hash bytea primary key,
  boc bytea not null
);

-- step: move the code of accounts
insert into contract_codes
select distinct on (code_hash) code_hash, code_boc from latest_account_states where code_boc is not null;
alter table latest_account_states drop column code_boc;
