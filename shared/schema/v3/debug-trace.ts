import { z } from "zod";
import { hashBase64, quantity, rawAddressUpper } from "../../forms/values.js";
import { debugRun, debugRunId } from "./debug.js";
import { traceFailure } from "./message-status.js";
import { decimal, nullableHash } from "./records.js";

const missing = z
  .object({
    transaction: hashBase64.describe("Hash of the transaction."),
    account: rawAddressUpper.describe("The account."),
    lt: decimal.describe("Logical time of the transaction."),
    kind: z
      .enum(["transaction", "state-unavailable", "different", "unsupported"])
      .describe("Why, as the error of `v3.debug.transaction` has it in `kind`."),
    reason: z.string().describe("The same in words."),
  })
  .describe("A transaction that cannot be run again.");

export const debugTrace = z
  .object({
    trace_id: nullableHash.describe("Hash of the first transaction; null if the trace is not the chain's."),
    runs: z.array(debugRun).describe("Runs of its transactions, in the order of logical times."),
    missing: z.array(missing).describe("Transactions among them that cannot be run again."),
    transactions: quantity.describe("Number of its transactions."),
    failure: traceFailure.nullable().describe("The failed transaction with the lowest logical time."),
    failed_run: debugRunId.nullable().describe("The run of that transaction."),
    gas: decimal.describe("Gas of all its transactions."),
    fees: decimal.describe("Fees that all its transactions paid, in nanotons."),
    cursor: quantity.nullable().describe("`cursor` of the next page; null at the end."),
    is_incomplete: z
      .boolean()
      .describe(
        "Whether there are transactions after these: some are not in a block yet, or beyond the limits.",
      ),
  })
  .meta({ id: "DebugTrace", description: "A trace whose transactions are run again." });

const debugMessage = {
  ...debugRun.shape,
  trace: debugTrace.optional().describe("The trace of the message, with `follow`."),
};

export const debugMessages = z.object({
  ...debugMessage,
  bundle: z
    .array(z.object(debugMessage).describe("A message of the bundle."))
    .optional()
    .describe("The messages of the bundle; up to the first one that has no transaction."),
});

export type DebugTrace = z.output<typeof debugTrace>;
