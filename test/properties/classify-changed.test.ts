import fc from "fast-check";
import { expect, test } from "vitest";
import { classify } from "../../server/indexer/actions/classify.js";
import type { Trace, TraceMessage, TraceTransaction } from "../../server/indexer/actions/trace.js";
import { traceOfRows } from "../../server/indexer/actions/trace-of-rows.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { contractsOf, goldenCase, rowsOf } from "../helpers/index/golden-case.js";
import { describeWithTraces } from "../helpers/test-data.js";

/** Changes of a transaction, or of the message that it received. */
const change = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "none" as const }) },
  fc.constantFrom(
    { kind: "abort" as const },
    { kind: "drop" as const },
    { kind: "deploy" as const },
    { kind: "empty" as const },
  ),
  // Takes the body of another message, whole or in part.
  fc.record({ kind: fc.constant("body" as const), from: fc.nat(), bits: fc.option(fc.nat(1023)) }),
  fc.record({ kind: fc.constant("readdress" as const), from: fc.nat() }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(trace: Trace, changes: readonly Change[]): Trace {
  const { transactions } = trace;
  const changedOnes = transactions.flatMap((each, i) => {
    const { inMessage } = each;
    const what = changes[i % changes.length]!;
    if (what.kind === "drop" && i > 0) return [];
    if (what.kind === "abort") return [{ ...each, isAborted: true }];
    if (what.kind === "deploy") return [{ ...each, statusBefore: "nonexist" as const }];
    if (!inMessage) return [each];
    const other = transactions[("from" in what ? what.from : 0) % transactions.length]!;
    if (what.kind === "readdress") return [readdressed(each, inMessage, other.account)];
    if (what.kind === "empty") return [withBody(each, inMessage, beginCell().endCell())];
    if (what.kind === "body" && other.inMessage)
      return [withBody(each, inMessage, cut(other.inMessage.body!, what.bits))];
    return [each];
  });
  return { ...trace, transactions: changedOnes };
}

function cut(body: Cell, bits: number | null): Cell {
  return bits === null || bits > body.bits ? body : body.parse().loadBits(bits, body.refCount).toCell();
}

function withBody(transaction: TraceTransaction, message: TraceMessage, body: Cell): TraceTransaction {
  const opcode = body.bits < 32 ? undefined : body.parse().loadUint(32);
  return { ...transaction, inMessage: { ...plain(message), body, opcode } };
}

function readdressed(
  transaction: TraceTransaction,
  message: TraceMessage,
  account: string,
): TraceTransaction {
  return { ...transaction, account, inMessage: { ...plain(message), destination: account } };
}

/** Its body and state init are read by getters, which a spread leaves behind. */
function plain(message: TraceMessage): TraceMessage {
  return { ...message, hasBody: true, body: message.body, initState: message.initState };
}

/** TON Center's classifier fails such a trace as well. */
const contradiction = /^halves of a deposit /;

describeWithTraces("The classifier of real traces that were changed", (cases) => {
  const goldens = cases.map((each) => {
    const golden = goldenCase(each);
    return { golden, trace: traceOfRows(rowsOf(golden)) };
  });

  test("fails for none of them without a contradiction, and shows each message", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...goldens),
        fc.array(change, { minLength: 1, maxLength: 40 }),
        ({ golden, trace: original }, changes) => {
          const trace = changed(original, changes);
          const { state, actions, error } = classify(trace, contractsOf(golden));
          if (state === "failed") expect((error as Error).message).toMatch(contradiction);
          const shown = new Set(actions.flatMap(({ tx_hashes }) => tx_hashes));
          for (const { hash, inMessage } of trace.transactions)
            if (inMessage?.source !== undefined) expect(shown).toContain(hash);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
