// Expected lists of traces and of actions, computed by looking at every row. Hashes of filters are in base64.
import { codeOf, traceStates } from "../../../server/store/codes.js";
import type { ActionRow } from "../../../server/store/tables/actions.js";
import type { TraceRow } from "../../../server/store/tables/traces.js";
import { supportedTypes } from "../../../shared/schema/action-sets.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToBase64, compareBytes } from "../../../shared/values/bytes.js";
import { between, difference, inOrder, type Windows } from "./naive-lists.js";
import { bytesOf } from "./rows.js";
import type { TracedIndex } from "./sample-index.js";

type Hashes = readonly string[] | undefined;

type CommonFilter = Windows & {
  account?: Address | undefined;
  trace_id?: Hashes;
  tx_hash?: Hashes;
  msg_hash?: Hashes;
  mc_seqno?: number | undefined;
  sort: "asc" | "desc";
};
type ActionFilter = CommonFilter & {
  initiated_by_account?: boolean | undefined;
  action_id?: Hashes;
  action_type?: readonly string[] | undefined;
  exclude_action_type?: readonly string[] | undefined;
  supported_action_types?: readonly string[] | undefined;
};

/** Whether one of the hashes is asked for; all are if none is named. */
const asksFor = (wanted: Hashes, hashes: readonly (Uint8Array | undefined)[]) =>
  !wanted || hashes.some((hash) => hash !== undefined && wanted.includes(bytesToBase64(hash)));
const has = (keys: readonly Uint8Array[], key: Uint8Array) =>
  keys.some((each) => compareBytes(each, key) === 0);
const hasAccount = (wanted: Address | undefined, accounts: readonly Uint8Array[]) =>
  !wanted || has(accounts, bytesOf(wanted));
/** Whether one of these transactions sent or received one of the messages. */
const hasMessage = ({ messages }: TracedIndex, wanted: Hashes, transactions: readonly Uint8Array[]) =>
  !wanted ||
  messages.some(
    (row) => asksFor(wanted, [row.msg_hash, row.msg_hash_norm]) && has(transactions, row.tx_hash),
  );

const endless = 2n ** 63n;

/** The traces that match, in order. */
export function naiveTraces(index: TracedIndex, filter: CommonFilter): TraceRow[] {
  const { start_utime, end_utime, start_lt, end_lt } = filter;
  const byLt = start_lt !== undefined || end_lt !== undefined;
  const hasTimes = start_utime !== undefined || end_utime !== undefined;
  const isPending = ({ state }: TraceRow) => state === codeOf(traceStates, "pending");
  const keyOf = (row: TraceRow) =>
    isPending(row) ? endless : hasTimes && !byLt ? BigInt(row.end_utime) : row.end_lt;
  const matches = (row: TraceRow) => {
    const own = index.transactions.filter(({ trace_id }) => compareBytes(trace_id, row.trace_id) === 0);
    const hashes = own.map(({ hash }) => hash);
    return (
      asksFor(filter.trace_id, [row.trace_id]) &&
      asksFor(filter.tx_hash, hashes) &&
      hasMessage(index, filter.msg_hash, hashes) &&
      hasAccount(
        filter.account,
        own.map(({ account }) => account),
      ) &&
      (filter.mc_seqno === undefined ||
        (row.state === codeOf(traceStates, "complete") && row.mc_seqno_end === filter.mc_seqno)) &&
      // What has no end yet ends within no bounds.
      !(isPending(row) && (byLt || hasTimes)) &&
      between(row.end_utime, start_utime, end_utime) &&
      between(row.end_lt, start_lt, end_lt)
    );
  };
  return index.traces
    .filter(matches)
    .sort((a, b) =>
      inOrder(filter.sort, difference(keyOf(a), keyOf(b)), compareBytes(a.trace_id, b.trace_id)),
    );
}

/** Whether the account of the filter has the first transaction of the trace, if that matters. */
function isInitiated(
  { transactions }: TracedIndex,
  { account, initiated_by_account: wanted }: ActionFilter,
  { trace_id }: ActionRow,
): boolean {
  if (account === undefined || wanted === undefined) return true;
  const root = transactions.find(({ hash }) => compareBytes(hash, trace_id) === 0)!;
  return hasAccount(account, [root.account]) === wanted;
}

/** The actions that match, in order. */
export function naiveActions(index: TracedIndex, filter: ActionFilter): ActionRow[] {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const supported = supportedTypes(filter.supported_action_types ?? []);
  const isShown = ({ type, ancestor_type }: ActionRow) =>
    (filter.action_type ?? supported).includes(type) &&
    !filter.exclude_action_type?.includes(type) &&
    !ancestor_type.some((ancestor) => supported.includes(ancestor));
  return index.actions
    .filter(
      (row) =>
        isShown(row) &&
        asksFor(filter.action_id, [row.action_id]) &&
        asksFor(filter.trace_id, [row.trace_id]) &&
        asksFor(filter.tx_hash, row.tx_hashes) &&
        hasMessage(index, filter.msg_hash, row.tx_hashes) &&
        hasAccount(filter.account, row.accounts) &&
        isInitiated(index, filter, row) &&
        (filter.mc_seqno === undefined || row.trace_mc_seqno_end === filter.mc_seqno) &&
        between(row.trace_end_utime, filter.start_utime, filter.end_utime) &&
        between(row.trace_end_lt, filter.start_lt, filter.end_lt),
    )
    .sort((a, b) =>
      inOrder(
        filter.sort,
        byTime
          ? difference(a.trace_end_utime, b.trace_end_utime)
          : difference(a.trace_end_lt, b.trace_end_lt),
        compareBytes(a.trace_id, b.trace_id),
        byTime ? difference(a.end_utime, b.end_utime) : difference(a.end_lt, b.end_lt),
        compareBytes(a.action_id, b.action_id),
      ),
    );
}
