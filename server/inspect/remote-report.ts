import { z } from "zod";
import { traceFailure } from "../../shared/schema/v3/message-status.js";
import { traceList } from "../../shared/schema/v3/traces.js";
import { AnswerNames } from "../../shared/text/answer-names.js";
import { describeFailure } from "../../shared/text/describe.js";
import { english } from "../../shared/text/english/english.js";
import { knownAccounts } from "../../shared/text/known-accounts.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { SetupError } from "../errors.js";
import type { ReportedFailure, TraceReport } from "./report.js";
import { plain } from "./text/plain.js";

/** Calls a method of a running service. */
export type Ask = (method: string, params: object) => Promise<unknown>;

type TraceList = z.output<typeof traceList>;
/** The members of other answers that are used. */
const named = z.object({ actions: z.array(z.object({ trace_id: z.string() })) });
const failed = z.object({ failures: z.array(traceFailure).default([]) });

/** Traces of one hash; a message sent repeatedly begins several. */
const atMost = 100;
const wanted = { include_actions: true, include_parts: true, include_text: true, limit: atMost };

/** The newest trace that a hash identifies and the others, newest first, from the methods of a service. */
export async function fetchReport(
  ask: Ask,
  hash: Uint8Array,
  coin: string,
): Promise<{ report: TraceReport; otherIds: string[] } | undefined> {
  const found = await fetchTraces(ask, bytesToBase64(hash));
  const [newest, ...others] = found?.traces ?? [];
  if (!found || !newest) return undefined;
  const { address_book = {}, metadata = {} } = found;
  const names = new AnswerNames({ address_book, metadata }, { coin, known: knownAccounts() });
  const failures = await fetchFailures(ask, newest, names);
  const actions = newest.actions?.map(({ preview: _, failure: __, ...action }) => action) ?? [];
  return {
    report: {
      ...newest,
      ...{ actions, address_book, metadata },
      ...(failures.length > 0 && { failures }),
    },
    otherIds: others.flatMap(({ trace_id }) => trace_id ?? []),
  };
}

/** By the trace's own id, a transaction, a message or an action. */
async function fetchTraces(ask: Ask, hash: string): Promise<TraceList | undefined> {
  const tracesOf = async (names: object) =>
    readAnswer(traceList, "v3.traces", await ask("v3.traces", { ...wanted, ...names }));
  for (const name of ["trace_id", "tx_hash", "msg_hash"]) {
    const found = await tracesOf({ [name]: [hash] });
    if (found.traces.length > 0) return found;
  }
  const { actions } = readAnswer(named, "v3.actions", await ask("v3.actions", { action_id: [hash] }));
  const id = actions[0]?.trace_id;
  return id === undefined ? undefined : tracesOf({ trace_id: [id] });
}

/** The failed transactions in words. Any message of a trace leads to them. */
async function fetchFailures(
  ask: Ask,
  { transactions = {} }: TraceList["traces"][number],
  names: AnswerNames,
): Promise<ReportedFailure[]> {
  const message = Object.values(transactions).find(({ in_msg }) => in_msg)?.in_msg;
  if (!message) return [];
  const answer = await ask("v3.messageStatus", { hash: message.hash });
  const { failures } = readAnswer(failed, "v3.messageStatus", answer);
  return failures.map((failure) => ({
    transaction: failure.hash,
    text: describeFailure(failure, names, english),
  }));
}

/** The answer of a service, which may be another program or have another version. */
function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  method: string,
  answer: unknown,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(answer);
  if (success) return data;
  const [issue] = error.issues;
  throw new SetupError(
    `the service answers ${method} as no service of this version does: ${plain(issue?.path.join(".") ?? "")}: ${plain(issue?.message ?? "")}`,
  );
}

/** A report whose texts cannot control a terminal, whatever service it is from. */
export function plainReport(report: TraceReport): TraceReport {
  return plainTexts(report) as TraceReport;
}

function plainTexts(value: unknown): unknown {
  if (typeof value === "string") return plain(value);
  if (Array.isArray(value)) return value.map(plainTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [plain(name), plainTexts(own)]));
}
