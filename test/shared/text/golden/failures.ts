import type { TraceFailure } from "../../../../shared/schema/v3/message-status.js";
import { ann, ben, pool } from "./people.js";

/** A failed transaction, and the clause about it, with the marks of golden sentences. */
export type Failure = { readonly failure: TraceFailure | null; readonly reason?: string };

const common = {
  hash: "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=",
  lt: "46000001",
  interfaces: [],
  source: null,
  value: null,
  opcode: "0x0f8a7ea5",
  operation: "jetton_transfer",
  exit_code: null,
  exit_name: null,
  exit_meaning: null,
  skipped_reason: null,
  gas_used: null,
  became: null,
  debt: null,
  failed_action: null,
  skipped_actions: 0,
  bounce: null,
  refund: null,
} as const satisfies Partial<TraceFailure>;

export const outOfGas: Failure = {
  failure: {
    ...common,
    account: pool,
    phase: "compute",
    exit_code: -14,
    exit_name: "out_of_gas",
    gas_used: "1000000",
    exit_meaning: "Out of gas.",
  },
  reason: "‹failed=pool› used all of its 1,000,000 gas",
};

/** The contract's own code has no known meaning. */
export const ownCode: Failure = {
  failure: { ...common, account: pool, phase: "compute", exit_code: 4001 },
  reason: "‹failed=pool› stopped with exit code 4001",
};

export const noCode: Failure = {
  failure: { ...common, account: ben, phase: "compute", skipped_reason: "no_state" },
  reason: "‹failed=ben› has no code",
};

export const noCoins: Failure = {
  failure: {
    ...common,
    account: ann,
    phase: "action",
    exit_code: 37,
    exit_name: "not_enough_coins",
    exit_meaning: "There are not enough coins for a message.",
  },
  reason: "‹failed=ann› could not send a message: exit code 37 (there are not enough coins for a message)",
};

export const indebted: Failure = {
  failure: { ...common, account: ben, phase: "credit" },
  reason: "‹failed=ben› lost the value of the message to its debt",
};

export const unexplained: Failure = { failure: null };
