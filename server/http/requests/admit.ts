import type { IncomingMessage } from "node:http";
import type { Access, Caller } from "../../access/access.js";
import type { Spending } from "../../access/limits/rate-limit.js";
import type { RequestSource } from "../../access/local-request.js";
import { ServiceError } from "../../errors.js";
import { type Grant, rateLimited } from "../../rpc/json-rpc/json-rpc.js";
import type { Exchange } from "../answers/exchange.js";
import { header, hostOf } from "../answers/headers.js";
import type { CallDeps } from "../routes.js";
import { ambiguityOf } from "./ambiguous-head.js";
import { type IncomingBody, receiveBytes, receiveText } from "./body.js";
import { lastOf, parseQuery } from "./query.js";

const maxKeyLength = 256;

/** Identifies the caller and charges the first point before the body is read. Throws the refusal, if any. */
export async function admit(exchange: Exchange, access: Access): Promise<Caller> {
  const found = callerOf(exchange, access);
  const caller = found instanceof Promise ? await found : found;
  exchange.caller = caller;
  exchange.access = access;
  const spending = spend(exchange, access, caller, 1);
  const { granted, retryAfterSec } = spending instanceof Promise ? await spending : spending;
  if (granted === 0) throw rateLimited(retryAfterSec);
  return caller;
}

/**
 * Admits the caller and returns the body; `check` may refuse its media type. The body is received while the point is
 * charged, and dropped if the call is refused.
 */
export function admitWithBody(exchange: Exchange, deps: BodyDeps, check: BodyCheck): Promise<string> {
  return admitWith(exchange, deps, check, receiveText(exchange.request, deps.maxBodyBytes));
}

/** As `admitWithBody`, for a body of any bytes. */
export function admitWithBytes(exchange: Exchange, deps: BodyDeps, check: BodyCheck): Promise<Buffer> {
  return admitWith(exchange, deps, check, receiveBytes(exchange.request, deps.maxBodyBytes));
}

type BodyDeps = Pick<CallDeps, "access" | "maxBodyBytes">;
type BodyCheck = (request: IncomingMessage) => void;

async function admitWith<Content extends string | Buffer>(
  exchange: Exchange,
  { access }: BodyDeps,
  check: BodyCheck,
  body: IncomingBody<Content>,
): Promise<Content> {
  try {
    await admit(exchange, access);
    check(exchange.request);
  } catch (refusal) {
    body.drop();
    throw refusal;
  }
  const content = await body.content;
  exchange.received(Buffer.byteLength(content));
  return content;
}

/**
 * Charges the points that a single call costs beyond its first one. Throws the refusal if the caller had none left; a call
 * that costs more points than are left is admitted, and its caller owes them. Returns no promise if it costs nothing more.
 */
export function chargeCost(exchange: Exchange, access: Access, cost: number): Promise<void> | undefined {
  return cost <= 1 ? owe(exchange, access, 0) : chargeFurther(exchange, access, cost);
}

async function chargeFurther(exchange: Exchange, access: Access, cost: number): Promise<void> {
  const { granted, overdrawn, retryAfterSec } = await spend(exchange, access, exchange.knownCaller, cost - 1);
  if (overdrawn) throw rateLimited(retryAfterSec);
  await owe(exchange, access, cost - 1 - granted);
  dropRetryAfter(exchange);
}

/**
 * Lets the caller owe points of calls that are served, and those of the body. Updates the rate limit headers. Returns no
 * promise if there are none.
 */
export function owe(exchange: Exchange, access: Access, ofCalls: number): Promise<void> | undefined {
  const points = ofCalls + exchange.takeBodyPoints();
  return points > 0 ? settle(exchange, access, points) : undefined;
}

async function settle(exchange: Exchange, access: Access, points: number): Promise<void> {
  await access.settle(exchange.knownCaller, points);
  await spend(exchange, access, exchange.knownCaller, 0);
}

/** Removes `Retry-After` from an answer that at least one call is served in. */
export function dropRetryAfter(exchange: Exchange): void {
  const { "Retry-After": _, ...headers } = exchange.limitHeaders;
  exchange.limitHeaders = headers;
}

/** Charges points and stores the rate limit headers for the answer. Returns no promise if the points are counted here. */
export function spend(
  exchange: Exchange,
  access: Access,
  caller: Caller,
  points: number,
): Grant | Promise<Grant> {
  const spending = access.spend(caller, points);
  return spending instanceof Promise
    ? spending.then((spent) => noteLimit(exchange, spent))
    : noteLimit(exchange, spending);
}

function noteLimit(exchange: Exchange, spent: Spending): Grant {
  exchange.limitHeaders = spent.headers;
  return spent;
}

/**
 * Identifies the caller of a WebSocket handshake, as of any request. Its head is checked here, because it comes past the
 * check of other requests.
 */
export function identify(
  handshake: Pick<Exchange, "request" | "search">,
  access: Access,
): Caller | Promise<Caller> {
  const ambiguity = ambiguityOf(handshake.request);
  if (ambiguity) throw ambiguity;
  return callerOf(handshake, access);
}

/**
 * Finds the caller by API key or address. The header takes precedence over the query; an empty key counts as none. Throws
 * `unknown-key` and `wrong-network`.
 */
function callerOf(
  { request, search }: Pick<Exchange, "request" | "search">,
  access: Access,
): Caller | Promise<Caller> {
  const key = header(request, "x-api-key") || keyInQuery(search);
  if (key !== undefined && key.length > maxKeyLength) throw new ServiceError("unknown-key");
  const { remoteAddress, host, headers } = sourceOf(request);
  const { httpVersion, socket: connection } = request;
  return access.identify({ key: key || undefined, remoteAddress, host, headers, httpVersion, connection });
}

/** The address, host and headers by which a request counts as local or not. */
export function sourceOf(request: IncomingMessage): RequestSource {
  const { headers, socket } = request;
  return { remoteAddress: socket.remoteAddress ?? "", host: hostOf(request), headers };
}

/** Whether a trusted proxy sends the requests of several callers over the connection of a request. */
export function isShared(request: IncomingMessage, access: Access): boolean {
  return access.isProxied(sourceOf(request));
}

function keyInQuery(search: string): string | undefined {
  return search.includes("api_key") ? lastOf(parseQuery(search), "api_key") : undefined;
}
