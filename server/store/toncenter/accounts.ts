import SQL, { raw } from "sql-template-tag";
import { addressToBytes } from "../address-bytes.js";
import { selectJoined } from "../queries/rows.js";
import type { IndexReads } from "../reads/index-reads.js";
import { all, anyOf, type Fragment, paged } from "../sql/where.js";
import { accountRecords, balanceRecord, contractCodes } from "../tables/accounts.js";
import { columnsIn } from "./columns.js";
import { readRows } from "./rows.js";
import { cellBytes, foreign } from "./tables.js";
import { accountBytes, accountValues, hashValues } from "./values.js";

type AccountReads = Pick<IndexReads, "readAccounts" | "richestAccounts">;

const { latestAccountStates, accountsWithData, contractMethods } = foreign;

export const accountReads: AccountReads = {
  async readAccounts(queries, { addresses, codeHashes }, cells) {
    const keys = [...new Map(addresses.map((each) => [each.toRaw(), addressToBytes(each)])).values()];
    const where = all(anyOf(codeHashes, (hashes) => SQL`x.code_hash = any(${hashValues(hashes)})`));
    const states = cells === "none" ? latestAccountStates : accountsWithData;
    const code = cells === "both" ? cellBytes("x.code_boc") : "null::bytea";
    const rows = await selectJoined(
      queries,
      { s: latestAccountStates.columns },
      SQL`(
        select ${columnsIn("stored", states)}, x.code_hash as foreign_code, ${raw(code)} as code_boc,
          wanted.place
        from unnest(${accountValues(keys)}) with ordinality wanted(account, place)
        join latest_account_states x on x.account = wanted.account where ${where}) s
      left join lateral (
        select ${columnsIn("stored", contractMethods)} from contract_methods x
        where x.code_hash = s.foreign_code) c on true
      cross join lateral (select s.foreign_code, s.code_boc as boc) k
      order by s.place`,
      { outer: { c: { methods: contractMethods.columns.methods }, k: { boc: contractCodes.columns.boc } } },
    );
    return rows.map(({ s, c, k }) =>
      accountRecords[cells].present({ s, c, k } as Parameters<typeof accountRecords.both.present>[0]),
    );
  },

  async richestAccounts(queries, page) {
    const order = raw(`x.balance desc, ${accountBytes("x.account")}`);
    const rows = await readRows(queries, latestAccountStates, SQL`order by ${order} ${paged(page)}`);
    return rows.map((s) => balanceRecord.present({ s }));
  },
};

/** A row for each account, in the order of these. */
export function bookStatement({ accounts }: { accounts: readonly Uint8Array[] }): Fragment {
  return SQL`
    select wanted.account::text as account, s.code_hash::text as code_hash, c.methods, d.domain
    from unnest(${accountValues(accounts)}) wanted(account)
    left join latest_account_states s on s.account = wanted.account
    left join lateral (
      select array_to_json(c.methods)::text as methods from (
        select ${columnsIn("stored", contractMethods)} from contract_methods x where x.code_hash = s.code_hash) c) c
      on true
    left join lateral (
      select domain from dns_entries e
      where e.nft_item_owner = wanted.account and e.nft_item_owner::text = e.dns_wallet::text
      order by length(e.domain), e.domain collate "C", ${raw(accountBytes("e.nft_item_address"))} limit 1) d on true`;
}
