import { z } from "zod";
import { hash } from "../../../shared/schema/v3/params.js";
import { actionRow, isoTime } from "../answers/actions.js";
import type { Answer } from "../answers/answer.js";
import { namesOf } from "../answers/names.js";
import { traceRows, transactionRow } from "../answers/transactions.js";
import { paramsOf, withWords } from "../definitions.js";
import { listTool } from "../list-tool.js";
import { described, methodTool } from "../method-tool.js";
import { foundBy, type Session } from "../session.js";
import type { Tool } from "../tool.js";

type Members = Readonly<Record<string, unknown>>;

const bookOf = (result: Members) => (result["address_book"] ?? {}) as Readonly<Record<string, Members>>;

const history = listTool("v3.actions", {
  name: "history",
  params: ["account", "action_type", "start_utime", "end_utime"],
  guide:
    "Use it for what an account did: each row is one thing that happened, with amounts in nanotons or in the token's smallest units, and success. " +
    "Pass its trace_id to explain_transaction for the transactions behind a row. Without an account: the newest actions of the chain.",
  rows: "actions",
  row: actionRow,
  ltOf: ({ trace_end_lt: lt }) => lt,
});

const transactions = listTool("v3.transactions", {
  params: ["account", "opcode", "start_utime", "end_utime", "end_lt"],
  guide:
    "Use history first, which is shorter; this has every single transaction, with the message that it received.",
  rows: "transactions",
  row: (row, result) => transactionRow(row, bookOf(result)),
  ltOf: ({ lt }) => lt,
});

const explainTransaction: Tool = {
  name: "explain_transaction",
  title: "Explain transaction",
  description:
    "What happened, and why it failed if it did: the whole trace of a transaction, a message or a trace by its hash. `failures` has the phase, the exit code " +
    "and its meaning, where the money went back to, and a hint what can be done; `actions` say what was meant; `transactions` are the steps, each after its cause, with its depth. " +
    "`success` means that every transaction and every action succeeded; null means that the trace goes on. debug_transaction shows the steps of a failed one.",
  methods: ["v3.traces"],
  input: z.object({ hash: hash.describe("Hash of a transaction, a message or a trace, in hex or base64.") }),
  isList: true,
  changes: false,
  async run(args, session, from) {
    const asked = String(args["hash"]);
    const found = await findTrace(asked, session);
    if (found) return explained(found, session, from.offset);
    if (await session.has("v3.messageStatus")) {
      const status = await foundBy(session.call("v3.messageStatus", { hash: asked }));
      if (status) return { facts: { trace: null, message_status: status } };
    }
    return {
      facts: { trace: null, reason: "Neither a transaction nor a message with this hash is indexed." },
    };
  },
};

type FoundTrace = { readonly trace: Members; readonly result: Members };

async function findTrace(asked: string, session: Session): Promise<FoundTrace | undefined> {
  for (const name of ["tx_hash", "msg_hash"]) {
    const params = withWords("v3.traces", { [name]: [asked], include_actions: true, limit: 1 });
    const result = (await foundBy(session.call("v3.traces", params))) as Members | undefined;
    const [trace] = (result?.["traces"] ?? []) as Members[];
    if (result && trace) return { trace, result };
  }
  return undefined;
}

async function explained({ trace, result }: FoundTrace, session: Session, offset: number): Promise<Answer> {
  const all = (trace["transactions"] ?? {}) as Readonly<Record<string, Members>>;
  const rows = traceRows(trace["trace"], all, bookOf(result));
  const info = trace["trace_info"] as Members | undefined;
  const actions = ((trace["actions"] ?? []) as Members[]).map(actionRow);
  const facts = {
    trace: {
      trace_id: trace["trace_id"],
      state: info?.["trace_state"],
      started: isoTime(trace["start_utime"]),
      ended: isoTime(trace["end_utime"]),
      transactions: info?.["transactions"],
      ...(trace["is_incomplete"] === true && {
        left_out: "The trace is too large for its transactions to be shown.",
      }),
    },
    ...withActions(await failuresOf(trace, rows, all, session), actions, info?.["trace_state"] === "pending"),
    actions,
  };
  return {
    facts: offset === 0 ? facts : { trace: facts.trace },
    list: {
      name: "transactions",
      rows: rows.slice(offset),
      from: { offset },
      hasMore: false,
      about: (shown) => namesOf(result, [shown, facts.actions]),
    },
  };
}

/** A contract can refuse what it was asked for without a failed transaction, such as a stake that it returns. */
function withActions(outcome: Members, actions: readonly Members[], isPending: boolean): Members {
  const failed = actions.filter(({ success }) => success === false);
  if (failed.length > 0)
    return { ...outcome, success: false, failed_actions: failed.map(({ type, text }) => text ?? type) };
  return outcome["success"] === true && isPending ? { ...outcome, success: null } : outcome;
}

/** Failed transactions of a trace in the words of the service; without its method the rows say why. */
async function failuresOf(
  trace: Members,
  rows: readonly Members[],
  all: Readonly<Record<string, Members>>,
  session: Session,
): Promise<Members> {
  const isFine = ({ outcome, skipped_actions: skipped }: Members) =>
    outcome === "ok" && skipped === undefined;
  if (rows.length > 0 && rows.every(isFine)) return { success: true };
  const first = all[String(trace["trace_id"])]?.["in_msg"] as Members | null | undefined;
  if (typeof first?.["hash"] !== "string" || !(await session.has("v3.messageStatus")))
    return { success: rows.length > 0 ? false : null };
  const asked = { hash: first["hash"], include_text: true, include_hint: true };
  const status = (await foundBy(session.call("v3.messageStatus", asked))) as Members | undefined;
  const { success, text, failures, failures_total: total } = status ?? {};
  return {
    success: success ?? false,
    ...(typeof text === "string" && { summary: text }),
    ...(failures !== undefined && { failures, failures_total: total }),
  };
}

const emulateTrace: Tool = {
  name: "emulate_trace",
  title: "Emulate trace",
  description: described(
    "v3.emulate.trace",
    "Nothing is sent and nothing changes: use it to see what a message would do, and why it would fail, before somebody signs it.",
  ),
  methods: ["v3.emulate.trace"],
  input: z.object(paramsOf("v3.emulate.trace", ["boc", "ignore_chksig", "mc_block_seqno"])),
  isList: true,
  changes: false,
  async run(args, session, { offset }) {
    const wanted = {
      ...{ with_actions: true, include_address_book: true, include_metadata: true },
      include_hint: true,
    };
    const result = (await session.call(
      "v3.emulate.trace",
      withWords("v3.emulate.trace", { ...args, ...wanted }),
    )) as Members;
    const all = (result["transactions"] ?? {}) as Readonly<Record<string, Members>>;
    const rows = traceRows(result["trace"], all, bookOf(result));
    const actions = ((result["actions"] ?? []) as Members[]).map(actionRow);
    const { success, failures, failures_total } = (result["outcome"] ?? {}) as Members;
    return {
      facts: {
        success: success === true && actions.every(({ success }) => success !== false),
        ...(success === false && { failures, failures_total }),
        mc_block_seqno: result["mc_block_seqno"],
        is_incomplete: result["is_incomplete"],
        actions,
      },
      list: {
        name: "transactions",
        rows: rows.slice(offset),
        from: { offset },
        hasMore: false,
        about: (shown) => namesOf(result, [shown, actions]),
      },
    };
  },
};

const messageStatus = methodTool("v3.messageStatus", {
  guide:
    "Use it for a message that somebody sent: whether it waits, expired, was dropped or went through, and what failed.",
});

export const traceTools: readonly Tool[] = [
  history,
  explainTransaction,
  messageStatus,
  transactions,
  emulateTrace,
];
