import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { addToGroup } from "../../../shared/values/groups.js";
import { presentTrace } from "../../present/v3/trace.js";
import { takeTransaction } from "../../present/v3/transaction.js";
import { rawAddress } from "../../store/declare/wire-forms.js";
import { accountsOfTraces, blocksOfUnit, transactionsIn } from "../../store/queries/blocks/units.js";
import { transactionsAt } from "../../store/queries/transactions/transactions.js";
import { type StoredTraceRow, traceRecord } from "../../store/tables/traces.js";
import { type EventKey, ranks } from "../subscriptions/event-key.js";
import type { RecordType } from "../subscriptions/filter.js";
import type { Interests } from "../subscriptions/interests.js";
import type { EditedAccount } from "./account-edits.js";
import { type RecordForm, type ShownTransaction, type StreamEvent, transactionTo } from "./events.js";
import {
  accountRecordEvent,
  actionRecordEvents,
  blockRecordEvent,
  jettonRecordEvent,
  traceRecordEvent,
  transactionRecordEvent,
} from "./records.js";
import {
  changedWallets,
  idOf,
  isComplete,
  maxTransactions,
  namedByAbi,
  nameOf,
  readActions,
  readWhole,
} from "./unit-events.js";
import type { LastTransaction, UnitSource } from "./unit-source.js";

/** Transactions per statement. */
const transactionsAtOnce = 500;
const masterchain = -1;

/** The records of a masterchain block that match any subscription. Derived from the index alone. */
export async function readUnitRecords(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  return [
    ...(await blockEvents(source, interests)),
    ...(await transactionEvents(source, interests)),
    ...(await accountEvents(source, interests)),
    ...(await jettonEvents(source, interests)),
    ...(await traceEvents(source, interests)),
  ];
}

function placeOf({ seqno }: UnitSource, type: RecordType, lt: bigint, id: string) {
  const key: EventKey = { seqno, rank: ranks[type], lt, id };
  return { finality: "finalized", key } as const;
}

async function blockEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  if (!interests.wants("block")) return [];
  const blocks = await blocksOfUnit(source.queries, source.seqno);
  const own = blocks.find(({ workchain }) => workchain === masterchain);
  return own ? [blockRecordEvent(placeOf(source, "block", 0n, ""), own, blocks)] : [];
}

async function transactionEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const type = "transaction";
  if (!interests.wants(type)) return [];
  const keys = await transactionsIn(source.queries, source.seqno);
  const shown = await namedByAbi(
    source,
    interests,
    await readShown(source, watchedOf(keys, type, interests)),
  );
  return shown.map((transaction) => {
    const { account, lt, trace_id } = transaction.record;
    const place = placeOf(source, type, BigInt(lt), account);
    return transactionRecordEvent(place, transaction, trace_id ?? undefined);
  });
}

async function accountEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const type = "account";
  if (!interests.wants(type)) return [];
  const edits = await source.edits();
  const left = (await source.last()).filter(({ account }) => !edits.has(rawAddress.present(account)));
  const shown = await readShown(source, watchedOf(left, type, interests));
  const isWatched = (account: string) => interests.wantsAll(type) || interests.hasAccount(type, account);
  const place = ({ lt, account }: EditedAccount) => placeOf(source, type, BigInt(lt), account);
  return [
    ...shown.map(({ record }) => accountRecordEvent(place(record), record)),
    ...[...edits.values()]
      .filter(({ account }) => isWatched(account))
      .map((each) => accountRecordEvent(place(each), each, each.account_state_after.hash)),
  ];
}

async function jettonEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const type = "jetton";
  if (!interests.wants(type)) return [];
  const isWatched = (account: string) => interests.wantsAll(type) || interests.hasAccount(type, account);
  const wallets = await changedWallets(source, isWatched);
  return wallets.map((wallet) =>
    jettonRecordEvent(placeOf(source, type, 0n, wallet.address), wallet, wallet.last_transaction_lt!),
  );
}

async function traceEvents(source: UnitSource, interests: Interests): Promise<StreamEvent[]> {
  const wantsTraces = interests.wants("trace_record");
  if (!wantsTraces && !interests.wants("action")) return [];
  const complete = (await source.settled()).filter(isComplete);
  if (complete.length === 0) return [];
  const accounts = wantsTraces ? await accountsIn(source, complete) : new Map<string, string[]>();
  const isWatched = (row: StoredTraceRow) =>
    interests.wantsAll("trace_record") ||
    namesOf(row).some((name) => interests.hasTrace(name, "trace_record")) ||
    accounts.get(idOf(row))?.some((account) => interests.hasAccount("trace_record", account));
  const watched = wantsTraces ? complete.filter(isWatched) : [];
  const transactions = await readWhole(
    source,
    interests,
    watched.filter(({ nodes_ }) => nodes_ <= maxTransactions),
  );
  const ofActions = interests.wants("action") ? complete : watched;
  const actions = await readActions(source, ofActions, interests);
  const events: StreamEvent[] = [];
  for (const row of watched) {
    const own = transactions.get(idOf(row)) ?? [];
    const shown = actions.get(idOf(row)) ?? [];
    const place = placeOf(source, "trace_record", row.end_lt, idOf(row));
    const parts = {
      names: namesOf(row),
      accounts: accounts.get(idOf(row)) ?? [],
      addresses: own.flatMap(({ addresses }) => addresses.split(" ")),
      actions: shown,
      views: (own[0] ?? shown[0])?.byAbi,
      present: (chosen: (typeof shown)[number]["action"][], form: RecordForm) =>
        presentTrace(
          traceRecord.present({ t: row }),
          own.map((each) => transactionTo(each, form)),
          chosen,
        ),
    };
    events.push(traceRecordEvent({ ...place, isLast: true }, parts, nameOf(row, own)));
  }
  if (interests.wants("action"))
    for (const row of complete) {
      const own = actions.get(idOf(row)) ?? [];
      const place = ({ end_lt, action_id }: (typeof own)[number]["action"]) =>
        placeOf(source, "action", BigInt(end_lt), action_id);
      events.push(...actionRecordEvents(own, place, nameOf(row, [])));
    }
  return events;
}

/** Transactions that may match a subscription. */
function watchedOf(
  keys: readonly LastTransaction[],
  type: RecordType,
  interests: Interests,
): readonly LastTransaction[] {
  if (interests.wantsAll(type)) return keys;
  return keys.filter(({ account }) => interests.hasAccount(type, rawAddress.present(account)));
}

async function readShown(
  { queries }: UnitSource,
  keys: readonly LastTransaction[],
): Promise<ShownTransaction[]> {
  const shown: ShownTransaction[] = [];
  for (let at = 0; at < keys.length; at += transactionsAtOnce) {
    const wanted = keys.slice(at, at + transactionsAtOnce);
    shown.push(...(await transactionsAt(queries, wanted, takeTransaction)));
  }
  return shown;
}

/** Raw addresses by trace id. */
async function accountsIn(
  { queries }: UnitSource,
  traces: readonly StoredTraceRow[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const ids = traces.map(({ trace_id }) => trace_id);
  for (const { trace_id, account } of await accountsOfTraces(queries, ids))
    addToGroup(found, bytesToBase64(trace_id), rawAddress.present(account));
  return found;
}

/** A trace's id and the hashes of its external message. */
function namesOf(row: StoredTraceRow): string[] {
  const { external_hash, external_hash_norm } = row;
  return [
    ...new Set([
      idOf(row),
      ...[external_hash_norm, external_hash].flatMap((hash) => (hash ? [bytesToBase64(hash)] : [])),
    ]),
  ];
}
