import SQL, { raw } from "sql-template-tag";
import type { IndexReads } from "../reads/index-reads.js";
import { all, anyOf, type Fragment, paged } from "../sql/where.js";
import { dnsRecord } from "../tables/dns.js";
import { multisigOrderRecord, multisigRecord } from "../tables/multisig.js";
import { vestingRecord } from "../tables/vesting.js";
import { pageBy, readRows } from "./rows.js";
import { foreign } from "./tables.js";
import { accountBytes, accountValue, accountValues, isOneOfAccounts } from "./values.js";

const { dnsEntries, multisigOrders, multisigs, vestingContracts } = foreign;

type ContractReads = Pick<
  IndexReads,
  "listDnsRecords" | "listMultisigs" | "listMultisigOrders" | "ordersOfMultisigs" | "listVestings"
>;

export const contractReads: ContractReads = {
  /** The shortest name comes first. */
  async listDnsRecords(queries, by, page) {
    const where =
      "domain" in by ? SQL`x.domain = ${by.domain}` : SQL`x.dns_wallet = ${accountValue(by.wallet)}`;
    const order = raw(`length(x.domain), x.domain collate "C", ${accountBytes("x.nft_item_address")}`);
    const rows = await readRows(queries, dnsEntries, SQL`where ${where} order by ${order} ${paged(page)}`);
    return rows.map((d) => dnsRecord.present({ d }));
  },

  async listMultisigs(queries, { addresses, wallets }, { sort, ...page }) {
    const where = all(
      anyOf(addresses, (keys) => isOneOfAccounts("x.address", keys)),
      anyOf(wallets, (keys) => SQL`(${hasOneOf("x.signers", keys)} or ${hasOneOf("x.proposers", keys)})`),
    );
    const order = raw(`x.last_transaction_lt ${sort}, ${accountBytes("x.address")}`);
    const rows = await readRows(queries, multisigs, SQL`where ${where} order by ${order} ${paged(page)}`);
    return rows.map((m) => multisigRecord.present({ m }));
  },

  async listMultisigOrders(queries, { addresses, multisigs: wallets }, { sort, ...page }) {
    const list = pageBy(multisigOrders, {
      by: [
        ["address", addresses],
        ["multisig_address", wallets],
      ],
      order: raw(`x.last_transaction_lt ${sort}, ${accountBytes("x.address")}`),
      page,
    });
    const rows = await readRows(queries, multisigOrders, list);
    return rows.map((o) => multisigOrderRecord.present({ o }));
  },

  async ordersOfMultisigs(queries, wallets, limit) {
    const rows = await readRows(
      queries,
      multisigOrders,
      SQL`where ${isOneOfAccounts("x.multisig_address", wallets)} order by x.id limit ${limit}`,
    );
    return rows.map((o) => multisigOrderRecord.present({ o }));
  },

  async listVestings(queries, { addresses, wallets, withWhitelist }, page) {
    const where = all(
      anyOf(addresses, (keys) => isOneOfAccounts("x.address", keys)),
      anyOf(wallets, (keys) => {
        const party = SQL`${isOneOfAccounts("x.owner_address", keys)} or ${isOneOfAccounts("x.vesting_sender_address", keys)}`;
        return withWhitelist
          ? SQL`(${party} or x.address in (
              select vesting_contract_address from vesting_whitelist where ${isOneOfAccounts("wallet_address", keys)}))`
          : SQL`(${party})`;
      }),
    );
    const rows = await readRows(queries, vestingContracts, SQL`where ${where} order by x.id ${paged(page)}`);
    return rows.map((v) => vestingRecord.present({ v }));
  },
};

function hasOneOf(column: string, accounts: readonly Uint8Array[]): Fragment {
  return SQL`${raw(column)} && ${accountValues(accounts)}`;
}
