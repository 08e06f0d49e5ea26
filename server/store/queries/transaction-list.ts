import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { codeOf, directions } from "../codes.js";
import {
  all,
  anyOf,
  capped,
  compared,
  type Direction,
  type Fragment,
  given,
  isOneOf,
  ordered,
  paged,
  within,
} from "../where.js";
import type { OrderedList } from "./offset-bookmarks.js";

/** Conditions on a message of the transaction. */
export type MessageFilter = {
  msg_hash?: readonly Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  opcode?: number | undefined;
  source?: Address | undefined;
  destination?: Address | undefined;
  direction?: (typeof directions)[number] | undefined;
};

/** Members are named like the parameters. */
export type TransactionFilter = MessageFilter & {
  workchain?: number | undefined;
  shard?: bigint | undefined;
  seqno?: number | undefined;
  mc_seqno?: number | undefined;
  account?: readonly Address[] | undefined;
  exclude_account?: readonly Address[] | undefined;
  hash?: readonly Uint8Array[] | undefined;
  lt?: bigint | undefined;
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};

/** A unique key; `now` if the list is ordered by it. */
export type TransactionKey = { lt: bigint; account: Uint8Array; now?: bigint };

/**
 * The matching transactions, by index-only scans: transactions_by_lt, _by_time, _by_account,
 * _by_account_time, _by_masterchain, _by_block by the given filter.
 */
export function transactionList(filter: TransactionFilter, sort: Direction): OrderedList<TransactionKey> {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const columns = byTime ? (["now", "lt", "account"] as const) : (["lt", "account"] as const);
  const chosen = raw(columns.join(", "));
  const times = raw(byTime ? "now, lt" : "lt");
  const order = ordered(sort, ...columns);
  const accounts = wantedAccounts(filter);
  const ofAccounts = accounts ? accountCondition(accounts) : excluding(filter);
  const conditions = conditionsOf(filter);
  const beside = (side: "behind" | "upTo", key: TransactionKey) =>
    compared(
      sort,
      side,
      columns,
      columns.map((column) => key[column]),
    );
  return {
    keys(page, after) {
      const wanted = [...conditions, given(after, (key) => beside("behind", key))];
      const part = SQL`order by ${order} ${paged(page)}`;
      if (!accounts)
        return SQL`select ${chosen} from transactions where ${all(ofAccounts, ...wanted)} ${part}`;
      // Skipped rows are read too. Leaving out the account, which is known, saves a third of the time.
      if (accounts.length === 1)
        return SQL`select page.*, ${accounts[0]}::bytea as account
          from (select ${times} from transactions where ${all(ofAccounts, ...wanted)} ${part}) page`;
      // Of every account no more rows than could be on the page, in the order of its index.
      return SQL`select one.*
        from unnest(${accounts}::bytea[]) as wanted(address)
        cross join lateral (
          select ${chosen} from transactions where ${all(SQL`account = wanted.address`, ...wanted)}
          order by ${order} limit ${page.offset + page.limit}
        ) one
        ${part}`;
    },
    countLater: (seqno, upTo) => SQL`select count(*) from transactions
      where ${all(ofAccounts, ...conditions, SQL`mc_block_seqno > ${seqno}`, beside("upTo", upTo))}`,
  };
}

function accountCondition(accounts: readonly Uint8Array[]): Fragment {
  return accounts.length === 1 ? SQL`account = ${accounts[0]}` : SQL`account = any(${accounts}::bytea[])`;
}

function excluding({ exclude_account }: TransactionFilter): Fragment | undefined {
  return anyOf(exclude_account, (addresses) => SQL`account <> all(${addresses.map(addressToBytes)})`);
}

/** Distinct accounts without the excluded ones; `undefined` if there is no filter by account. */
function wantedAccounts({ account, exclude_account }: TransactionFilter): Uint8Array[] | undefined {
  if (!account || account.length === 0) return undefined;
  const wanted = new Map(account.map((address) => [address.toRaw(), addressToBytes(address)]));
  for (const address of exclude_account ?? []) wanted.delete(address.toRaw());
  return [...wanted.values()];
}

function conditionsOf(filter: TransactionFilter): (Fragment | undefined)[] {
  return [
    blockCondition(filter),
    given(filter.mc_seqno, (seqno) => SQL`mc_block_seqno = ${seqno}`),
    anyOf(filter.hash, (hashes) => isOneOf("hash", hashes)),
    given(filter.lt, (lt) => SQL`lt = ${capped(lt)}`),
    within("now", filter.start_utime, filter.end_utime),
    within("lt", filter.start_lt, filter.end_lt),
    messageCondition(filter),
  ];
}

/** A seqno without its shard is resolved by blocks_by_seqno: transactions have no such index. */
function blockCondition({ workchain, shard, seqno }: TransactionFilter): Fragment | undefined {
  const inBlock = (prefix: string) =>
    all(
      given(workchain, (value) => SQL`${raw(`${prefix}workchain`)} = ${value}`),
      given(shard, (value) => SQL`${raw(`${prefix}shard`)} = ${value}`),
      given(seqno, (value) => SQL`${raw(`${prefix}seqno`)} = ${value}`),
    );
  if (workchain === undefined && shard === undefined && seqno === undefined) return undefined;
  if (seqno === undefined || (workchain !== undefined && shard !== undefined)) return inBlock("block_");
  return SQL`(block_workchain, block_shard, block_seqno) in
    (select workchain, shard, seqno from blocks where ${inBlock("")})`;
}

/** messages_by_hash and messages_by_norm_hash, or messages_by_body, _by_opcode, _by_source, _by_destination. */
function messageCondition(filter: MessageFilter): Fragment | undefined {
  const { msg_hash, body_hash, opcode, source, destination, direction } = filter;
  const conditions = [
    given(body_hash, (hash) => SQL`body_hash = ${hash}`),
    given(opcode, (value) => SQL`opcode = ${value | 0}`),
    given(source, (address) => SQL`source = ${addressToBytes(address)}`),
    given(destination, (address) => SQL`destination = ${addressToBytes(address)}`),
    given(direction, (side) => SQL`direction = ${codeOf(directions, side)}`),
  ];
  const byHash = anyOf(msg_hash, (hashes) => isOneOf("msg_hash", hashes));
  if (!byHash && conditions.every((condition) => condition === undefined)) return undefined;
  const sender = (...more: (Fragment | undefined)[]) =>
    SQL`select tx_hash, tx_lt from messages where ${all(...more, ...conditions)}`;
  if (!byHash) return SQL`(hash, lt) in (${sender()})`;
  return SQL`(hash, lt) in (${sender(byHash)} union all ${sender(isOneOf("msg_hash_norm", msg_hash!))})`;
}
