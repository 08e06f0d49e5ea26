import { knownMigrations, type Migration } from "../../../server/store/sql/schemas.js";

const newest = knownMigrations().at(-1)!.number;

/** A migration behind all known ones. */
export const later = (script: string): Migration => ({
  number: newest + 1,
  name: `${newest + 1}-later.sql`,
  script: () => script,
});

/** A table of slots gets a column, which is filled row by row, then checked; another one gets an index. */
export const longMigration = later(`-- usable by: ${newest}
alter table transactions add column if not exists is_seen boolean;
-- batch: fill in the column
with batch as (
  update transactions t set is_seen = true
  where (account, lt) in (select account, lt from transactions where is_seen is null limit 500)
  returning 1)
select 1 from batch limit 1;
-- part: check the column
alter table transactions drop constraint if exists transactions_seen;
alter table transactions add constraint transactions_seen check (is_seen is not false) not valid;
-- alone: the index
create index concurrently if not exists contract_codes_later on contract_codes (code_hash);
`);
