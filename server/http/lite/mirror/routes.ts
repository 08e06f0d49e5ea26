import type { Verb } from "../../../../shared/methods/define.js";
import type { TlValue } from "../../../../shared/ton/tl/codec.js";
import { wire } from "../../../../shared/ton/tl/codecs.js";
import { ServiceError } from "../../../errors.js";
import { type Outcome, statusOf } from "../../../rpc/dispatch.js";
import { parseJson } from "../../../rpc/json/parse-json.js";
import { v2Answer } from "../../../rpc/json-rpc/v2-envelope.js";
import type { Exchange } from "../../answers/exchange.js";
import { admit, admitWithBody, chargeCost } from "../../requests/admit.js";
import { checkMediaType } from "../../requests/body.js";
import { parseQuery } from "../../requests/query.js";
import { ignoredHeader } from "../../requests/unknown-params.js";
import { noteFailure } from "../../rest.js";
import type { CallDeps, Handle, Route } from "../../routes.js";
import { answerBytes, queryMethod, queryParams } from "../query-call.js";
import { presentAnswer } from "./answer.js";
import { type Mirror, mirrors } from "./functions.js";
import { encodeRequest, type Given, lacksBlock, unknownNames } from "./request.js";

/** The functions of liteservers as REST, each answered by `lite.query`. */
export function mirrorRoutes(deps: CallDeps): [path: string, route: Route][] {
  return mirrors.map((mirror) => {
    const handlers = mirror.verbs.map((verb) => [verb, handle(mirror, verb, deps)]);
    return [mirror.path, { method: queryMethod, surface: "v2", handlers: Object.fromEntries(handlers) }];
  });
}

function handle(mirror: Mirror, verb: Verb, deps: CallDeps): Handle {
  const read = verb === "GET" ? readQuery : readBody;
  return async (exchange) => {
    const given = await read(exchange, deps);
    const ignored = ignoredHeader(unknownNames(mirror, given));
    if (ignored) exchange.addHeaders(ignored);
    const newest = lacksBlock(mirror, given) ? await newestBlock(exchange, deps) : undefined;
    if (newest instanceof ServiceError) throw newest;
    const params = queryParams(encodeRequest(mirror, given, newest));
    await chargeCost(exchange, deps.access, deps.rpc.callPoints({ method: queryMethod, params }));
    const outcome = presented(await deps.rpc.call(queryMethod, params, exchange));
    noteFailure(exchange, outcome);
    await exchange.send(statusOf(outcome, "v2"), v2Answer(outcome, "v2"));
  };
}

async function readQuery(exchange: Exchange, { access }: CallDeps): Promise<Given> {
  await admit(exchange, access);
  return parametersIn(exchange);
}

/** Parameters of the body take precedence over those of the query. */
async function readBody(exchange: Exchange, deps: CallDeps): Promise<Given> {
  const text = await admitWithBody(exchange, deps, checkMediaType);
  const body = text.trim() === "" ? {} : parseJson(text);
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new ServiceError("invalid-params", "failed to parse post request: the body must be an object");
  return new Map([...parametersIn(exchange), ...Object.entries(body)]);
}

/** A repeated parameter is a list. */
function parametersIn({ search }: Exchange): Map<string, unknown> {
  const given = new Map<string, unknown>();
  for (const [name, text] of parseQuery(search)) {
    const earlier = given.get(name);
    given.set(name, earlier === undefined ? parsedObject(text) : [earlier, text].flat());
  }
  given.delete("api_key");
  return given;
}

/** Objects of a query are JSON. */
function parsedObject(text: string): unknown {
  return text.startsWith("{") ? parseJson(text) : text;
}

/** The newest masterchain block, at no further cost. */
async function newestBlock(exchange: Exchange, { rpc }: CallDeps): Promise<TlValue | ServiceError> {
  const query = queryParams(wire.encode("liteServer.getMasterchainInfo"));
  const answer = answerBytes(await rpc.call(queryMethod, query, exchange));
  if (answer instanceof ServiceError) return answer;
  const { value } = wire.decode(answer);
  return value["last"] ?? new ServiceError("unavailable");
}

function presented(outcome: Outcome): Outcome {
  const answer = answerBytes(outcome);
  if (answer instanceof ServiceError) return { ...outcome, error: answer };
  const shown = presentAnswer(answer);
  if (shown instanceof ServiceError) {
    const { call, durationMs } = outcome;
    return { error: shown, durationMs, ...(call && { call }) };
  }
  return { ...outcome, json: JSON.stringify(shown) };
}
