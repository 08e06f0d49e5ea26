import type { TraceFailure } from "../../../../shared/schema/v3-message-status.js";
import { ann, ben, pool } from "./people.js";

// Failed transactions.

const common = {
  hash: "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=",
  lt: "46000001",
  interfaces: [],
  opcode: "0x0f8a7ea5",
  exit_code: null,
  exit_name: null,
  exit_meaning: null,
  skipped_reason: null,
  skipped_actions: 0,
  bounce: null,
  refund: null,
} as const satisfies Partial<TraceFailure>;

export const outOfGas: TraceFailure = {
  ...common,
  account: pool,
  phase: "compute",
  exit_code: -14,
  exit_name: "out_of_gas",
  exit_meaning: "Out of gas.",
};

/** The contract's own code has no known meaning. */
export const ownCode: TraceFailure = { ...common, account: pool, phase: "compute", exit_code: 4001 };

export const noCode: TraceFailure = {
  ...common,
  account: ben,
  phase: "compute",
  skipped_reason: "no_state",
};

export const noCoins: TraceFailure = {
  ...common,
  account: ann,
  phase: "action",
  exit_code: 37,
  exit_name: "not_enough_coins",
  exit_meaning: "There are not enough coins for a message.",
};

export const indebted: TraceFailure = { ...common, account: ben, phase: "credit" };
