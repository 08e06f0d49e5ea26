import { createHash } from "node:crypto";
import { restForms, type Verb } from "../../shared/methods/define.js";
import type { Json } from "../../shared/methods/json-text.js";
import { isJsonObject } from "../../shared/values/json.js";
import { type Api, ServiceError } from "../errors.js";
import type { BoundMethod, Methods } from "../rpc/bind.js";
import { pointsOf } from "../rpc/call-points.js";
import { nextCursorOf, type Outcome, statusOf } from "../rpc/dispatch.js";
import { parseJson } from "../rpc/json/parse-json.js";
import { v2Answer } from "../rpc/json-rpc/v2-envelope.js";
import type { QueryPairs, RawParams } from "../rpc/params/params.js";
import type { Exchange } from "./answers/exchange.js";
import { noteNotExecuted } from "./answers/not-executed.js";
import { noteRetry, v3Failure } from "./answers/refusal.js";
import { admit, admitWithBody, chargeCost } from "./requests/admit.js";
import { checkMediaType, checkV3MediaType } from "./requests/body.js";
import { parseQuery } from "./requests/query.js";
import { ignoredHeader } from "./requests/unknown-params.js";
import type { CallDeps, Handle, Route } from "./routes.js";
import { answerV4 } from "./v4/answers.js";

/** REST routes of every method that has verbs. */
export function restRoutes(methods: Methods, deps: CallDeps): [path: string, route: Route][] {
  return [...new Set(methods.values())].flatMap((method) =>
    restForms(method.name, method.definition).map(({ path, verbs }): [string, Route] => [
      path,
      routeOf(method, verbs, deps),
    ]),
  );
}

function routeOf(method: BoundMethod, verbs: readonly Verb[], deps: CallDeps): Route {
  const handlers = verbs.map((verb) => [verb, handle(method, verb, deps)]);
  return { method: method.name, surface: method.api, handlers: Object.fromEntries(handlers) };
}

function handle(method: BoundMethod, verb: Verb, deps: CallDeps): Handle {
  const read = verb === "GET" ? readParams : readParamsAndBody;
  return async (exchange) => {
    const params = await read(exchange, method, deps);
    const charging = chargeCost(exchange, deps.access, pointsOf(method, params));
    if (charging) await charging;
    const ending = deps.dispatcher.call(method, params, exchange);
    const outcome = ending instanceof Promise ? await ending : ending;
    noteIgnored(exchange, method, params);
    noteGaps(exchange, outcome, deps);
    noteCursor(exchange, outcome);
    if (deps.runHeaders && method.definition.runsTransactions) exchange.addHeaders(deps.runHeaders());
    if (method.definition.readsCatalogue && !("error" in outcome)) {
      noteRevision(exchange, deps);
      if (verb === "GET" && hasUnchanged(exchange, outcome.json)) return exchange.sendEmpty(304);
    }
    await answer(exchange, method, outcome, deps);
  };
}

/** A parameter with a typing error would otherwise go unnoticed. */
function noteIgnored(exchange: Exchange, { params }: BoundMethod, raw: RawParams): void {
  const headers = ignoredHeader(params.unknown(raw));
  if (headers) exchange.addHeaders(headers);
}

async function readParams(exchange: Exchange, _: BoundMethod, { access }: CallDeps): Promise<RawParams> {
  await admit(exchange, access);
  return new QueryParams(exchange);
}

/**
 * The parameters of a query, which is parsed unless they are known from an equal one. A class: V8 keeps the getter of an
 * object literal, and with it the whole request, until the next full collection.
 */
class QueryParams implements RawParams {
  readonly queryText: string;
  readonly #exchange: Exchange;
  #query: QueryPairs | undefined;

  constructor(exchange: Exchange) {
    const { path, search, inPath } = exchange;
    this.queryText = inPath ? `${path}?${search}` : search;
    this.#exchange = exchange;
  }

  get query(): QueryPairs {
    this.#query ??= parametersOf(this.#exchange);
    return this.#query;
  }
}

/** The parameters of the query, and those of the path, which replace others of their names. */
function parametersOf({ search, inPath }: Exchange): QueryPairs {
  const query = parseQuery(search);
  if (!inPath) return query;
  const names = new Set(inPath.map(([name]) => name));
  return [...query.filter(([name]) => !names.has(name)), ...inPath];
}

async function readParamsAndBody(
  exchange: Exchange,
  { api, definition }: BoundMethod,
  deps: CallDeps,
): Promise<RawParams> {
  const check = api === "v3" ? checkV3MediaType : checkMediaType;
  try {
    const text = await admitWithBody(exchange, deps, check);
    const { textBody } = definition;
    const object = textBody === undefined ? objectOf(text, api) : { [textBody]: text };
    return { query: parametersOf(exchange), object };
  } catch (error) {
    const { bodyRefusal } = definition;
    if (bodyRefusal === undefined || !(error instanceof ServiceError && unreadable.has(error.code)))
      throw error;
    throw new ServiceError(error.code, bodyRefusal + error.textIn(api), { status: 400, cause: error });
  }
}

/** Refusals of bodies whose parameters cannot be read. */
const unreadable: ReadonlySet<string> = new Set(["parse-error", "wrong-media-type", "invalid-params"]);

/** Parses the parameters in a body; an empty body means no parameters. */
function objectOf(text: string, api: Api): Readonly<Record<string, unknown>> {
  if (/^\s*$/.test(text)) return {};
  const value = api === "v3" ? parseForV3(text) : parseJson(text);
  if (isJsonObject(value)) return value;
  throw new ServiceError("invalid-params", "failed to parse post request: the body must be an object");
}

/** v3 answers with the JSON parser's message. */
function parseForV3(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof ServiceError && error.cause instanceof SyntaxError)) throw error;
    throw new ServiceError("parse-error", error.cause.message, { cause: error.cause });
  }
}

function answer(
  exchange: Exchange,
  { api }: BoundMethod,
  outcome: Outcome,
  { isKept = false }: CallDeps,
): void | Promise<void> {
  if (api === "v4") {
    noteFailure(exchange, outcome);
    return answerV4(exchange, outcome, isKept);
  }
  const status = statusOf(outcome, api);
  noteFailure(exchange, outcome);
  if (api === "v2") return exchange.send(status, v2Answer(outcome, api));
  exchange.addHeaders({ "Server-Timing": `app;dur=${outcome.durationMs.toFixed(1)}ms` });
  const body = "error" in outcome ? v3Failure(outcome.error) : outcome.json;
  return exchange.send(status, body, "application/json");
}

function noteRevision(exchange: Exchange, { catalogueRevision }: CallDeps): void {
  const revision = catalogueRevision?.();
  if (revision !== undefined) exchange.addHeaders({ "X-Acton-Catalog-Revision": revision });
}

/** Adds the ETag of an answer; whether the client has the same. */
function hasUnchanged(exchange: Exchange, json: Json): boolean {
  const digest = createHash("sha256").update(String(json)).digest("hex");
  // Weak, because the compressed form has the same ETag.
  exchange.addHeaders({ ETag: `W/"${digest}"` });
  const known = exchange.request.headers["if-none-match"];
  return known !== undefined && (known.includes(`"${digest}"`) || known.trim() === "*");
}

/** An array has no room for a cursor. The last page has no header. */
function noteCursor(exchange: Exchange, outcome: Outcome): void {
  const cursor = nextCursorOf(outcome);
  if (typeof cursor === "string") exchange.addHeaders({ "X-Next-Cursor": cursor });
}

/** Names the gaps of the index that the answer of a single call crosses. */
export function noteGaps(exchange: Exchange, outcome: Outcome, { gapsOfOutcome }: CallDeps): void {
  const gaps = gapsOfOutcome?.(outcome);
  if (gaps !== undefined) exchange.addHeaders({ "X-Index-Gaps": gaps });
}

/**
 * Adds the headers of a failed single call: `Retry-After`, `X-Request-Id` and the mark for a retry in another process.
 */
export function noteFailure(exchange: Exchange, outcome: Outcome): void {
  if (!("error" in outcome)) return;
  noteRetry(exchange, outcome.error);
  noteNotExecuted(exchange, outcome);
  const requestId = outcome.call?.requestId;
  if (requestId !== undefined) exchange.addHeaders({ "X-Request-Id": requestId });
}
