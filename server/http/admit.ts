import type { IncomingMessage } from "node:http";
import type { Access, Caller } from "../access/access.js";
import { ServiceError } from "../errors.js";
import { type Grant, rateLimited } from "../rpc/json-rpc.js";
import { receiveBody } from "./body.js";
import type { Exchange } from "./exchange.js";
import { header } from "./headers.js";
import { lastOf, parseQuery } from "./query.js";
import type { CallDeps } from "./routes.js";

const maxKeyLength = 256;

/** Finds out who calls and takes the first point, before anything of the body is read. */
export async function admit(exchange: Exchange, access: Access): Promise<Caller> {
  const caller = identify(exchange, access);
  exchange.caller = caller;
  const { granted, retryAfterSec } = await spend(exchange, access, caller, 1);
  if (granted === 0) throw rateLimited(retryAfterSec);
  return caller;
}

/**
 * Admits the caller and gives the body, whose media type `check` may refuse. A body is taken while the point is,
 * but kept for those who get one only.
 */
export async function admitWithBody(
  exchange: Exchange,
  { access, maxBodyBytes }: Pick<CallDeps, "access" | "maxBodyBytes">,
  check: (request: IncomingMessage) => void,
): Promise<string> {
  const body = receiveBody(exchange.request, maxBodyBytes);
  try {
    await admit(exchange, access);
    check(exchange.request);
  } catch (refusal) {
    body.drop();
    throw refusal;
  }
  return body.text;
}

/** Takes points and notes the limit's headers for the answer. */
export async function spend(
  exchange: Exchange,
  access: Access,
  caller: Caller,
  points: number,
): Promise<Grant> {
  const spending = access.spend(caller, points);
  const spent = spending instanceof Promise ? await spending : spending;
  exchange.limitHeaders = spent.headers;
  return spent;
}

/** The header wins over the query; an empty key is none. Also what a WebSocket handshake is checked with. */
export function identify({ request, search }: Pick<Exchange, "request" | "search">, access: Access): Caller {
  const key = header(request, "x-api-key") || keyInQuery(search);
  if (key !== undefined && key.length > maxKeyLength) throw new ServiceError("unknown-key");
  return access.identify({
    key: key || undefined,
    remoteAddress: request.socket.remoteAddress ?? "",
    forwardedFor: header(request, "x-forwarded-for"),
  });
}

function keyInQuery(search: string): string | undefined {
  return search.includes("api_key") ? lastOf(parseQuery(search), "api_key") : undefined;
}
