import { JsonBytes } from "../../shared/methods/json-text.js";
import { ServiceError } from "../errors.js";
import type { Outcome } from "../rpc/dispatch.js";
import { parseJson } from "../rpc/json/parse-json.js";
import type { Grant } from "../rpc/json-rpc/json-rpc.js";
import type { Message } from "../rpc/json-rpc/message.js";
import { callTonCenter } from "../rpc/json-rpc/ton-center-dialect.js";
import type { Exchange } from "./answers/exchange.js";
import { header } from "./answers/headers.js";
import { noteNotExecuted, strictStatus } from "./answers/not-executed.js";
import { refuse, type Surface } from "./answers/refusal.js";
import { admitWithBody, chargeCost, dropRetryAfter, owe, spend } from "./requests/admit.js";
import { checkMediaType } from "./requests/body.js";
import { refusesUnknown } from "./requests/unknown-params.js";
import { noteFailure, noteGaps } from "./rest.js";
import type { CallDeps, Handle, Route } from "./routes.js";

/** Routes of both JSON-RPC dialects. */
export function jsonRpcRoutes(deps: CallDeps): [path: string, route: Route][] {
  const route = (surface: Surface): Route => ({ surface, handlers: { POST: receive(surface, deps) } });
  return [
    ["/api/v2/jsonRPC", route("ton-center")],
    ["/", route("ton-center")],
    ["/jsonRPC", route("strict")],
  ];
}

function receive(surface: Surface, deps: CallDeps): Handle {
  return async (exchange) => {
    const value = parseJson(await admitWithBody(exchange, deps, checkMediaType));
    exchange.refusesUnknownParams =
      surface === "strict" && refusesUnknown(exchange.request, deps.unknownParams);
    if (surface === "strict" || Array.isArray(value)) return answerStrict(exchange, value, surface, deps);
    const charging = chargeCost(exchange, deps.access, deps.rpc.callPoints(value));
    if (charging) await charging;
    const onOutcome = (outcome: Outcome) => noteGaps(exchange, outcome, deps);
    const { outcome, status, body } = await callTonCenter(deps.rpc, value, exchange, onOutcome);
    noteFailure(exchange, outcome);
    noteRuns(exchange, [(value as { method?: unknown } | null)?.method], deps);
    return exchange.send(status, body);
  };
}

/** Answers in strict JSON-RPC 2.0. Batches are strict on every path, including their refusal as a whole. */
async function answerStrict(
  exchange: Exchange,
  value: unknown,
  surface: Surface,
  deps: CallDeps,
): Promise<void> {
  const message = readOrRefuse(value, surface, deps);
  if (message instanceof ServiceError) return refuse(exchange, "strict", message);
  const grant = await grantOf(message, exchange, deps);
  if (message.batch && acceptedLines(exchange)) return stream(exchange, message, grant, deps);
  let single: Outcome | undefined;
  const answer = message.batch
    ? await deps.rpc.answer(message, grant, exchange)
    : await deps.rpc.answerSingle(message, grant, exchange, (outcome) => {
        single = outcome;
        noteGaps(exchange, outcome, deps);
        noteNotExecuted(exchange, outcome);
      });
  noteRuns(exchange, methodsOf(message), deps);
  if (answer === undefined) exchange.sendEmpty(204);
  else if (typeof answer === "string" || answer instanceof JsonBytes)
    await exchange.send(strictStatus(exchange, single), answer);
  else await exchange.sendPieces(answer);
}

const methodsOf = ({ entries }: Message) => entries.map((entry) => "method" in entry && entry.method);

/** Adds the executor's version if one of the calls ran transactions. */
function noteRuns(exchange: Exchange, names: readonly unknown[], { rpc, runHeaders }: CallDeps): void {
  if (runHeaders && names.some((name) => rpc.runsTransactions(name))) exchange.addHeaders(runHeaders());
}

/** TON Center refuses parameters by position, and so do its paths. */
function readOrRefuse(value: unknown, surface: Surface, { rpc }: CallDeps): Message | ServiceError {
  try {
    return rpc.messageOf(value, { byPosition: surface === "strict" });
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** Charges a message: one point is paid already, the others are charged in one step. */
async function grantOf(message: Message, exchange: Exchange, { rpc, access }: CallDeps): Promise<Grant> {
  const further = rpc.points(message) - 1;
  if (!message.batch || further <= 0) {
    await chargeCost(exchange, access, 1 + further);
    return { granted: Math.max(1, 1 + further) };
  }
  const spent = await spend(exchange, access, exchange.knownCaller, further);
  const grant = { ...spent, granted: spent.granted + 1 };
  await owe(exchange, access, rpc.owed(message, grant));
  // At least one call is served, so `Retry-After` is in each refused entry instead of the header.
  dropRetryAfter(exchange);
  return grant;
}

/** The JSON lines media type in `Accept`, if the client accepts a stream. */
function acceptedLines({ request }: Exchange): string | undefined {
  return /application\/(?:jsonl|x-ndjson)/i.exec(header(request, "accept") ?? "")?.[0]?.toLowerCase();
}

/** Streams one answer per line as each becomes ready. A batch of notifications only is answered with 204. */
async function stream(exchange: Exchange, message: Message, grant: Grant, deps: CallDeps): Promise<void> {
  const lines = await deps.rpc.lines(message, grant, exchange);
  noteRuns(exchange, methodsOf(message), deps);
  if (lines) await exchange.sendStream(lines, acceptedLines(exchange)!);
  else exchange.sendEmpty(204);
}
