import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { lazy } from "../../../shared/values/lazy.js";
import { threadClock } from "../../os/thread-clock.js";
import { rawAddressFromBytes } from "../../store/address-bytes.js";
import { classificationStates, codeOf } from "../../store/codes.js";
import type { ActionRow } from "../../store/tables/actions.js";
import type { Classification } from "../actions/action.js";
import { type ClassifyOptions, classify } from "../actions/classify.js";
import { type Contract, ContractLookups, type MissingContracts } from "../actions/contracts.js";
import type { AddressText } from "../actions/trace.js";
import { type TraceRows, traceOfRows } from "../actions/trace-of-rows.js";
import { actionRows } from "./action-rows.js";

/** A trace with the contracts and data loaded for it. */
export type ClassifyJob = {
  rows: TraceRows;
  contracts: ReadonlyMap<AddressText, Contract>;
  /** Data of accounts as bags of cells; undefined for accounts without data. */
  data: ReadonlyMap<AddressText, Uint8Array | undefined>;
  /** Whether blocks before the trace are missing, which could identify unknown contracts. */
  mayLearn: boolean;
  /** CPU time in milliseconds after which the trace is deferred. Default: none. */
  maxMs?: number | undefined;
};

/** Result of classifying a trace. */
export type ClassifiedTrace = {
  state: number;
  actions: ActionRow[];
  /** Contracts requested but not loaded: loading them may change the result. */
  missing: MissingContracts | undefined;
  /** Requested accounts without a known contract that earlier blocks may identify. */
  unknown: readonly AddressText[];
  /** The reason for a failure. */
  error: string | undefined;
  /** CPU time in milliseconds. */
  cpuMs: number;
};

/** Clock of the classifying thread. */
const clock = lazy(threadClock);

/** Classifies a trace with the contracts that are loaded. */
export function classifyTrace(
  { rows, contracts, data, mayLearn, maxMs = Number.POSITIVE_INFINITY }: ClassifyJob,
  options: ClassifyOptions = {},
): ClassifiedTrace {
  const now = clock();
  const begun = now();
  const lookups = new ContractLookups();
  for (const [address, contract] of contracts) lookups.add(address, contract);
  for (const [address, boc] of data) lookups.addData(address, boc && parseBocRoot(boc));
  const isOver = () => now() - begun > maxMs;
  const { state, actions, error } = classifySafely(rows, lookups, { isOver, ...options });
  const isLeft = state === "unclassified";
  return {
    state: codeOf(classificationStates, state),
    actions: actionRows(actions, initiatorOf(rows)),
    missing: isLeft ? undefined : lookups.takeMissing(),
    unknown: mayLearn && !isLeft ? [...lookups.unknown] : [],
    error: error === undefined ? undefined : String(error),
    cpuMs: now() - begun,
  };
}

/** The account of the first transaction, whose hash is the trace's id. */
function initiatorOf({ trace, transactions }: TraceRows): AddressText | undefined {
  const first = transactions.find(({ hash }) => bytesEqual(hash, trace.trace_id));
  return first && rawAddressFromBytes(first.account);
}

/** `classify` catches everything except unreadable rows. */
function classifySafely(rows: TraceRows, lookups: ContractLookups, options: ClassifyOptions): Classification {
  try {
    return classify(traceOfRows(rows), lookups, options);
  } catch (error) {
    return { state: "failed", actions: [], error };
  }
}
