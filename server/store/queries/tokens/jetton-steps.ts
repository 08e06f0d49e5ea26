import SQL, { join, raw } from "sql-template-tag";
import { accountStatuses, directions } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash, isPair } from "../../sql/keys.js";
import { all, code, type Fragment, keyList, plannedOnce, type TimeBounds } from "../../sql/where.js";
import { type BalanceMoment, momentColumns } from "../accounts/balance-history.js";
import { besideRows, noRows } from "../cluster/beside-rows.js";
import { ofShardOf } from "../cluster/divided-clauses.js";
import { gatheredColumns, isAnyOf } from "../cluster/gathered-rows.js";
import { tokensOfOwners } from "../cluster/tokens-of-owners.js";
import { ofAccountIn, partRows, partsOfAccount, spanOf } from "../transactions/account-window.js";

/** A jetton wallet as it was recognised last. */
export type HeldJetton = {
  address: Uint8Array;
  jetton: Uint8Array;
  balance: bigint;
  last_transaction_lt: bigint;
  is_mintless: boolean;
};

/** The wallets of an owner for jettons, one for each that it holds: jetton_wallets_by_both. */
export async function jettonWalletsOf(
  queries: Queries,
  owner: Uint8Array,
  jettons: readonly Uint8Array[],
): Promise<HeldJetton[]> {
  const ofJetton = (jetton: Fragment) => isPair(["owner", "jetton"], [SQL`${owner}::bytea`, jetton]);
  const known = await besideRows(queries, async () => {
    const ofAny = jettons.map((jetton) => ofJetton(SQL`${jetton}::bytea`));
    const among = ofAny.length === 0 ? [] : await tokensOfOwners(queries, "w", [owner]);
    if (among?.length === 0) return [noRows("w")];
    const isAmong = among && isAnyOf("address", among);
    const isWanted = all(isAmong, SQL`(${join(ofAny, " or ")}) and not destroyed`);
    return [gatheredColumns("w", SQL`jetton_wallets w where ${isWanted}`)];
  });
  return known.query<HeldJetton>(
    plannedOnce(SQL`
      select w.* from unnest(${keyList("bytea", jettons)}) wanted(jetton) cross join lateral (
        select address, jetton, balance, last_transaction_lt, mintless_is_claimed is not null as is_mintless
        from jetton_wallets
        where ${ofJetton(raw("wanted.jetton"))} and not destroyed
        order by balance desc, address limit 1) w`),
  );
}

/** A transaction of a jetton wallet, with the message that began it. */
export type JettonStep = BalanceMoment & {
  /** Whether it may have had an effect on the wallet's data: states between the transactions of a block are not known. */
  may_change: boolean;
  /** Whether the wallet did not exist before. */
  is_first: boolean;
  body: Uint8Array | null;
  bounced: boolean;
};

/**
 * Transactions of a wallet, the newest first: transactions_by_account, messages_by_transaction, message_contents_by_hash and
 * account_states_by_account.
 */
export async function readSteps(
  queries: Queries,
  wallet: Uint8Array,
  { rows, ...bounds }: TimeBounds & { rows: number },
): Promise<JettonStep[]> {
  const parts = await partsOfAccount(queries, wallet, bounds);
  const steps: JettonStep[] = [];
  while (parts.length > 0 && steps.length < rows) {
    const missing = rows - steps.length;
    let count = 0;
    for (let n = 0n; count < parts.length && n < BigInt(missing); count++) n += parts[count]?.n ?? 0n;
    steps.push(...(await stepsIn(queries, parts.splice(0, count), { wallet, bounds, rows: missing })));
  }
  return steps;
}

async function stepsIn(
  queries: Queries,
  parts: Awaited<ReturnType<typeof partsOfAccount>>,
  { wallet, bounds, rows }: { wallet: Uint8Array; bounds: TimeBounds; rows: number },
): Promise<JettonStep[]> {
  const { from, to } = spanOf(parts);
  const ofShard = await ofShardOf(queries, wallet);
  const moments = raw(momentColumns.map((name) => `t.${name}`).join(", "));
  const first = parts.reduce((least, { slot }) => (slot < least ? slot : least), from);
  const dataAt = (lt: string, hash: string) => SQL`(
    select data_hash from account_states
    where account_key = account_key(${wallet}) ${ofShard} and lt = ${raw(lt)} and ${isHash("hash", raw(hash))} and lt <= ${to})`;
  const active = code(accountStatuses, "active");
  return queries.query<JettonStep>({
    ...plannedOnce(SQL`
      select ${moments}, t.orig_status <> ${active} as is_first, m.bounced is true as bounced, b.body,
        not coalesce(t.aborted, false) and ${dataAt("t.lt", "t.account_state_hash_after")}
          = ${dataAt("t.prev_trans_lt", "t.account_state_hash_before")} is not true as may_change
      from (
        select part.slot, found.* from ${partRows(parts)} cross join lateral (
          select * from transactions where ${ofAccountIn(parts, wallet, bounds)} order by lt desc limit ${rows}) found
        order by found.lt desc limit ${rows}) t
      left join lateral (
        select body_hash, bounced from messages
        where ${isHash("tx_hash", raw("t.hash"))} and tx_lt = t.lt and tx_lt between ${from} and ${to} ${ofShard}
          and direction = ${code(directions, "in")} limit 1) m on true
      left join lateral (
        select body from message_contents
        where ${isHash("hash", raw("m.body_hash"))} and from_lt >= t.slot and from_lt <= t.lt
          and from_lt between ${first} and ${to} ${ofShard} limit 1) b on true
      order by t.lt desc`),
    isInOrder: true,
  });
}
