import type { Message, Trace, TraceTrace, Transaction } from "../../client/api.js";
import type { AnswerNames } from "../../server/web/explorer/actions/answer-names.js";
import { drawStep } from "../../server/web/explorer/trace/drawing.js";
import { layoutInColumns } from "../../server/web/explorer/trace/layout.js";
import type { Step } from "../../server/web/explorer/trace/steps.js";

/** A transaction made for a test, with the transactions that follow from it. */
export type MadeStep = {
  readonly account?: string;
  readonly children?: readonly MadeStep[];
  /** Messages without a receiving transaction: `null` for one that leaves the chain. */
  readonly lonely?: readonly (string | null)[];
  readonly description?: object;
  readonly message?: object;
  readonly fees?: string;
};

export const accountOf = (digit: string) => `0:${digit.repeat(64)}`;

const body = {
  hash: "lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=",
  body: "te6cckEBAQEAAgAAAEysuc0=",
  decoded: null,
};

function message(hash: string, fields: object): Message {
  return {
    hash,
    source: accountOf("1"),
    destination: accountOf("2"),
    value: "1000000000",
    fwd_fee: "400000",
    opcode: null,
    decoded_opcode: null,
    bounced: false,
    message_content: body,
    init_state: null,
    ...fields,
  } as Message;
}

const success = { type: "ord", aborted: false, compute_ph: { skipped: false, success: true, exit_code: 0 } };

/** A trace as API v3 answers, of these transactions. */
export function madeTrace(root: MadeStep): Trace {
  const transactions: Record<string, Transaction> = {};
  let made = 0;
  // Without recursion: traces of tests are deep.
  const nodeOf = (step: MadeStep, parent?: TraceTrace): TraceTrace => {
    const number = made++;
    const node: TraceTrace = { tx_hash: `tx ${number}`, in_msg_hash: `message ${number}`, children: [] };
    const account = step.account ?? accountOf("2");
    const incoming = message(`message ${number}`, {
      destination: account,
      ...(!parent && { source: null, value: null, fwd_fee: null }),
      ...step.message,
    });
    transactions[node.tx_hash!] = {
      hash: node.tx_hash,
      account,
      total_fees: step.fees ?? "1000000",
      description: step.description ?? success,
      in_msg: incoming,
      out_msgs: (step.lonely ?? []).map((destination, index) =>
        message(`lonely ${number} ${index}`, { destination, ...(destination === null && { value: null }) }),
      ),
      finality: "finalized",
    } as unknown as Transaction;
    parent?.children.push(node);
    if (parent) transactions[parent.tx_hash!]!.out_msgs.push(incoming);
    return node;
  };
  const trace = nodeOf(root);
  const open: [MadeStep, TraceTrace][] = [[root, trace]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [step, node] = next;
    for (const child of step.children ?? []) open.push([child, nodeOf(child, node)]);
  }
  return { trace, transactions, trace_info: { transactions: made } } as unknown as Trace;
}

/** All steps of a trace as SVG. */
export function drawnSteps(steps: readonly Step[], names: AnswerNames): string {
  const { places } = layoutInColumns(steps, 1166);
  const position = { at: 1, of: 1 };
  return steps
    .map(
      (step, index) =>
        drawStep(step, { index, place: places[index]!, position, names, withTexts: true }).text,
    )
    .join("");
}
