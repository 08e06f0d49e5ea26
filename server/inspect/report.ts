import type { z } from "zod";
import type { Action } from "../../shared/schema/v3-actions.js";
import type { addressBook, metadata } from "../../shared/schema/v3-records.js";
import type { trace } from "../../shared/schema/v3-traces.js";

/** A trace as `traces` of v3 answers it, with all of its actions, also those that are part of others. */
export type TraceReport = Omit<z.output<typeof trace>, "actions"> & {
  actions: readonly ReportedAction[];
  address_book: z.output<typeof addressBook>;
  metadata: z.output<typeof metadata>;
  /** How the trace became its actions. */
  explanation?: ReportedExplanation;
};

export type ReportedTransaction = NonNullable<TraceReport["transactions"]>[string];
export type ReportedMessage = ReportedTransaction["out_msgs"][number];

export type ReportedAction = Action & {
  /** The action that it is a part of. */
  parent_action_id: string | null;
};

export type ReportedExplanation = {
  state: "unclassified" | "failed" | "ok" | "broken";
  /** Why the trace could not be classified. */
  error: string | null;
  /** Whether the index has other actions. */
  differs_from_index: boolean;
  /** The blocks of the messages, then those that patterns made of them, in the order in which they were made. */
  blocks: readonly ReportedBlock[];
};

export type ReportedBlock = {
  /** Its place in the list. */
  id: number;
  kind: string;
  opcode: string | null;
  /** Whether it is an outbound external message. */
  is_log: boolean;
  /** Hashes of the transactions of its messages; of a log the one that sent it. */
  transactions: readonly string[];
  /** Whether a pattern, or the pairing of deposits, made it of other blocks. */
  is_composite: boolean;
  action_id: string | null;
  /** The block that it became a part of, and the pattern that took it; `null` if blocks were joined after all passes. */
  part_of: number | null;
  pattern: string | null;
  /** The patterns that tried it as their anchor in vain, in their order. */
  refusals: readonly ReportedRefusal[];
};

export type ReportedRefusal = {
  pattern: string;
  /** The condition that did not hold. */
  reason: string;
  /** The block that it is about. */
  at: number;
  /** The blocks of which one should have fitted. */
  candidates: readonly number[];
};
