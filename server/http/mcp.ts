import { isForOwner } from "../../shared/methods/define.js";
import { whyNotLocal } from "../access/local-request.js";
import { ServiceError } from "../errors.js";
import type { DocumentSource } from "../mcp/documents.js";
import type { Session } from "../mcp/session.js";
import type { Log } from "../observe/log.js";
import type { Methods } from "../rpc/bind.js";
import { parseJson } from "../rpc/json/parse-json.js";
import type { Exchange } from "./answers/exchange.js";
import { header } from "./answers/headers.js";
import { CallerCalls } from "./caller-calls.js";
import type { Clock } from "./clock.js";
import { admitWithBody, dropRetryAfter, sourceOf, spend } from "./requests/admit.js";
import { checkMediaType } from "./requests/body.js";
import type { CallDeps, Handle, Route } from "./routes.js";

/** Dependencies of the route for models. */
type McpRouteDeps = Pick<CallDeps, "access" | "rpc" | "maxBodyBytes"> & {
  methods: Methods;
  documents: DocumentSource;
  version: string;
  /** Base URL for callers, whose pages may call as well. */
  publicUrl: string | undefined;
  log: Pick<Log, "error">;
  /** Default: the system's. */
  clock?: Clock | undefined;
};

/** Headers that the protocol reads. */
const protocolHeaders = [
  "accept",
  "content-type",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
];

/** `POST /mcp`: the registry's methods as tools of the Model Context Protocol. */
export function mcpRoute(deps: McpRouteDeps): [path: string, route: Route] {
  const calls = new CallerCalls(deps);
  const handle: Handle = async (exchange) => {
    const text = await admitWithBody(exchange, deps, checkMediaType);
    checkOrigin(exchange, deps);
    const body = readMessage(text);
    // The protocol's package is large, and most services are never asked for it.
    const { answerRequest } = await import("../mcp/answer-request.js");
    const answer = await answerRequest(headersOf(exchange), body, {
      session: sessionOf(exchange, calls, deps),
      documents: deps.documents,
      version: deps.version,
      onDefect: (error) => deps.log.error({ err: error }, "a tool failed"),
    });
    dropRetryAfter(exchange);
    await exchange.send(answer.status, answer.body, answer.type);
  };
  return ["/mcp", { surface: "strict", handlers: { POST: handle } }];
}

/** The protocol has one status for whatever is no message. */
function readMessage(text: string): unknown {
  try {
    const body = parseJson(text);
    if (hasManyMembers(body))
      throw new ServiceError("too-large", `an object of a message has at most ${maxMembers} members`, {
        data: { max: maxMembers },
      });
    if (!Array.isArray(body)) return body;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "parse-error") throw error;
    throw new ServiceError("parse-error", undefined, { status: 400, cause: error });
  }
  throw new ServiceError("invalid-request", "MCP takes one message per request", { status: 400 });
}

/** Far more than any tool has arguments. The protocol's package checks and copies each member several times. */
const maxMembers = 1000;

/** Whether any object in a value has more members than allowed. */
function hasManyMembers(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasManyMembers);
  let count = 0;
  for (const name in value) {
    if (++count > maxMembers || hasManyMembers((value as Record<string, unknown>)[name])) return true;
  }
  return false;
}

/**
 * Refuses pages of other sites, also those that rebind their name to this machine, unless they send a key: who has one, was given it.
 */
function checkOrigin(
  { request, knownCaller }: Exchange,
  { publicUrl }: { publicUrl: string | undefined },
): void {
  const origin = header(request, "origin");
  if (origin === undefined || knownCaller.keyId !== undefined) return;
  if (publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).origin === origin) return;
  const refusal = whyNotLocal(sourceOf(request));
  if (refusal === undefined) return;
  throw new ServiceError("forbidden", `pages need an API key for MCP: ${refusal}`);
}

function headersOf({ request }: Exchange): Record<string, string> {
  const given = protocolHeaders.flatMap((name) => {
    const value = header(request, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { "content-type": "application/json", ...Object.fromEntries(given) };
}

/** The service as the caller of a request reaches it. */
function sessionOf(exchange: Exchange, calls: CallerCalls, { methods, access }: McpRouteDeps): Session {
  return {
    call: calls.of({
      context: exchange,
      spend: (points) => spend(exchange, access, exchange.knownCaller, points),
    }),
    async has(name) {
      const definition = methods.get(name)?.definition;
      return definition !== undefined && !(isForOwner(definition) && exchange.devnetRefusal !== undefined);
    },
  };
}
