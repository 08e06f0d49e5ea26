import type { ReportedMessage, ReportedTransaction, TraceReport } from "../../server/inspect/report.js";
import type { Action } from "../../shared/schema/v3/actions.js";
import { account } from "../helpers/index/made-trace.js";

/** A message and the transaction that received it. */
export type MadeStep = {
  /** Receiver; undefined for a log. */
  to: string | undefined;
  value?: string;
  opcode?: string;
  decoded?: { "@type": string; [field: string]: unknown };
  bounced?: boolean;
  /** Members of the transaction that differ; `undefined`: it was not received. */
  received?: Partial<ReportedTransaction> | undefined;
  sends?: readonly MadeStep[];
};

type More = Partial<Omit<TraceReport, "transactions" | "transactions_order">>;

/** A report of a trace; transactions are called `tx 1`, … in breadth-first order. */
export function reportOf(root: MadeStep, more: More = {}): TraceReport {
  const transactions: ReportedTransaction[] = [];
  const open: { step: MadeStep; message: ReportedMessage }[] = [
    { step: root, message: messageOf(root, undefined, "message 0") },
  ];
  let count = 1;
  // The list grows while it is walked.
  for (const { step, message } of open) {
    if (step.to === undefined || ("received" in step && step.received === undefined)) continue;
    const sent = (step.sends ?? []).map((next) => ({
      step: next,
      message: messageOf(next, step.to, `message ${count++}`),
    }));
    open.push(...sent);
    transactions.push(
      transactionOf(step, message, {
        hash: `tx ${transactions.length + 1}`,
        lt: String(1000 + transactions.length),
        out_msgs: sent.map((each) => each.message),
      }),
    );
  }
  return {
    trace_id: "tx 1",
    external_hash: "message 0",
    mc_seqno_start: "7",
    mc_seqno_end: "9",
    start_lt: "1000",
    start_utime: 1_700_000_000,
    end_lt: "2000",
    end_utime: 1_700_000_010,
    trace_info: {
      trace_state: "complete",
      messages: count,
      transactions: transactions.length,
      pending_messages: 0,
      classification_state: "ok",
    },
    is_incomplete: false,
    transactions_order: transactions.map(({ hash }) => hash),
    transactions: Object.fromEntries(transactions.map((each) => [each.hash, each])),
    actions: [],
    address_book: {},
    metadata: {},
    ...more,
  };
}

/** An action; its id is its label. */
export function actionOf(
  id: string,
  special: { type?: string; parent?: string; transactions?: string[]; success?: boolean; details?: object },
): Action {
  const {
    type = "ton_transfer",
    parent = null,
    transactions = ["tx 1"],
    success = true,
    details = {},
  } = special;
  const made = {
    trace_id: "tx 1",
    action_id: id,
    parent_action_id: parent,
    start_lt: "1000",
    end_lt: "2000",
    start_utime: 1,
    end_utime: 2,
    trace_end_lt: "2000",
    trace_end_utime: 2,
    trace_mc_seqno_end: 9,
    transactions,
    success,
    type,
    details,
    finality: "finalized" as const,
  };
  // Details of any type will do.
  return made as unknown as Action;
}

function messageOf(step: MadeStep, from: string | undefined, hash: string): ReportedMessage {
  return {
    hash,
    source: from === undefined ? null : account(from),
    destination: step.to === undefined ? null : account(step.to),
    value: from === undefined || step.to === undefined ? null : (step.value ?? "1000000000"),
    value_extra_currencies: null,
    fwd_fee: null,
    ihr_fee: null,
    extra_flags: null,
    created_lt: null,
    created_at: null,
    opcode: step.opcode ?? null,
    decoded_opcode: step.decoded?.["@type"] ?? null,
    ihr_disabled: null,
    bounce: true,
    bounced: step.bounced ?? false,
    import_fee: null,
    message_content: { hash, body: "", decoded: step.decoded ?? null },
    init_state: null,
  };
}

function transactionOf(
  { to, received }: MadeStep,
  in_msg: ReportedMessage,
  own: Pick<ReportedTransaction, "hash" | "lt" | "out_msgs">,
): ReportedTransaction {
  const state = {
    hash: "",
    balance: null,
    extra_currencies: null,
    account_status: null,
    frozen_hash: null,
    data_hash: null,
    code_hash: null,
  };
  return {
    account: account(to!),
    now: 1,
    mc_block_seqno: 7,
    trace_id: "tx 1",
    prev_trans_hash: "",
    prev_trans_lt: "0",
    orig_status: "active",
    end_status: "active",
    total_fees: "0",
    total_fees_extra_currencies: {},
    description: { type: "ord", aborted: false },
    block_ref: { workchain: 0, shard: "8000000000000000", seqno: 1 },
    in_msg,
    account_state_before: state,
    account_state_after: state,
    emulated: false,
    finality: "finalized",
    ...own,
    ...received,
  };
}
