import type { ActionWords, OutcomeWords } from "../../../shared/ton/present/v3/run-word-members.js";
import type { DebugCode, DebugProfile, DebugRun, DebugState, DebugSteps } from "../../api.js";
import type { Params, Result } from "../../registry-types.js";

/** A transaction by its hash, or by its account and logical time, which need no index. With both the hash is compared. */
export type DebugTransactionParams = {
  /** In hex or base64. */
  readonly hash?: string | undefined;
  readonly account?: string | undefined;
  readonly lt?: string | number | bigint | undefined;
};

type Outcome = DebugRun["outcome"];

/**
 * A run as `v3.debug.transaction` answers it, without what no proof shows: the words of the service, and the names that
 * ABIs have. `proof.level` says how equal it is to the chain's transaction.
 */
export type ProvenRun = Omit<DebugRun, "outcome" | "message" | "actions"> & {
  readonly outcome: Omit<Outcome, OutcomeWords>;
  readonly message: Omit<NonNullable<DebugRun["message"]>, "abi" | "decoded"> | null;
  readonly actions: readonly Omit<DebugRun["actions"][number], ActionWords>[];
};

/** Names and makes runs of services. */
type OfService = "run" | "account" | "lt" | "force" | "message" | "get_method" | "trace_id";

export type StepsParams = Omit<Params<"v3.debug.steps">, OfService>;
export type StateParams = Omit<Params<"v3.debug.state">, OfService>;
export type FindParams = Omit<Params<"v3.debug.find">, OfService>;
export type ProfileParams = Omit<NonNullable<Params<"v3.debug.profile">>, OfService>;

/** A transaction that was run again in this program, step by step, with answers as the methods `v3.debug.*` have them. */
export type DebuggedTransaction = {
  readonly run: ProvenRun;
  /** Without source maps: `source` and `locals` have nothing. */
  steps(params?: StepsParams): Promise<DebugSteps>;
  /** The machine before a step. Rejects with code `absent` if the run has no such step. */
  state(params: StateParams): Promise<DebugState>;
  find(params: FindParams): Promise<Result<"v3.debug.find">>;
  profile(params?: ProfileParams): Promise<DebugProfile>;
  /** The code that ran; null if none did. */
  code(): Promise<DebugCode | null>;
};
