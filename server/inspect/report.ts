import type { z } from "zod";
import type { Action } from "../../shared/schema/v3/actions.js";
import type { AddressBook, Metadata } from "../../shared/schema/v3/records.js";
import type { trace } from "../../shared/schema/v3/traces.js";

/** A trace as in v3's `traces`, with all its actions, including those that are parts of others. */
export type TraceReport = Omit<z.output<typeof trace>, "actions"> & {
  actions: readonly Action[];
  address_book: AddressBook;
  metadata: Metadata;
  /** The failed transactions in words; absent if there are none. */
  failures?: readonly ReportedFailure[];
  /** How the trace's actions were derived. */
  explanation?: ReportedExplanation;
};

export type ReportedTransaction = NonNullable<TraceReport["transactions"]>[string];
export type ReportedMessage = ReportedTransaction["out_msgs"][number];

export type ReportedFailure = {
  /** Hash of the transaction. */
  transaction: string;
  /** What failed, and what can be done. */
  text: string;
};

export type ReportedExplanation = {
  state: "unclassified" | "failed" | "ok" | "broken";
  /** The reason why the trace could not be classified. */
  error: string | null;
  /** Whether the stored actions differ. */
  differs_from_index: boolean;
  /** The blocks of the messages, then the blocks built by patterns, in order of creation. */
  blocks: readonly ReportedBlock[];
};

export type ReportedBlock = {
  /** Its index in the list. */
  id: number;
  kind: string;
  opcode: string | null;
  /** Whether it is an outbound external message. */
  is_log: boolean;
  /** Hashes of its messages' transactions; for a log, the sending transaction. */
  transactions: readonly string[];
  /** Whether it was built from other blocks by a pattern or by merging deposits. */
  is_composite: boolean;
  action_id: string | null;
  /** The block that contains it, and the pattern that took it; `null` if blocks were merged after all passes. */
  part_of: number | null;
  pattern: string | null;
  /** The patterns that failed with it as their anchor, in order. */
  refusals: readonly ReportedRefusal[];
};

export type ReportedRefusal = {
  pattern: string;
  /** The failed condition. */
  reason: string;
  /** The block that failed it. */
  at: number;
  /** The blocks of which one had to fit. */
  candidates: readonly number[];
};
