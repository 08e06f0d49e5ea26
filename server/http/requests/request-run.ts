import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceError } from "../../errors.js";
import type { Log } from "../../observe/log.js";
import type { AnswerBudget } from "../../rpc/answers/answer-budget.js";
import { Exchange, targetOf } from "../answers/exchange.js";
import { type Heads, isStreaming, isV3, isV4 } from "../answers/headers.js";
import { asServiceError, refuse, type Surface } from "../answers/refusal.js";
import type { RefusalTally } from "../answers/refusal-tally.js";
import type { CallDeps, Handle, Route, Routes } from "../routes.js";

/** Parts that every request needs. */
export type Serving = Pick<CallDeps, "dispatcher"> & {
  log: Pick<Log, "error">;
  budget: AnswerBudget;
  routes: Routes;
  heads: Heads;
  refusals: RefusalTally;
};

/** A request and the route of its path, if there is one. */
export type RequestRun = {
  readonly exchange: Exchange;
  readonly route: Route | undefined;
  readonly surface: Surface;
};

export function openRequest(
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
): RequestRun {
  const { routes, heads, budget } = serving;
  const target = targetOf(request.url ?? "/");
  const { path } = target;
  const { route, inPath } = routes.find(path) ?? {};
  const head = heads.of(path);
  const exchange = new Exchange({ request, response, target, inPath, head, budget });
  return { exchange, route, surface: route?.surface ?? surfaceOf(path) };
}

/** The form of errors of a path that nothing is known of. */
function surfaceOf(path: string): Surface {
  if (isV4(path)) return "v4";
  return isV3(path) || isStreaming(path) ? "v3" : "v2";
}

/** Never rejects. */
export async function runRequest(handle: Handle, requestRun: RequestRun, serving: Serving): Promise<void> {
  try {
    await handle(requestRun.exchange);
  } catch (thrown) {
    await fail(requestRun, asServiceError(thrown), serving);
  } finally {
    // A body that is no JSON has no calls to charge, and some routes charge no call.
    const { exchange } = requestRun;
    const points = exchange.takeBodyPoints();
    if (points > 0) exchange.settle(points);
  }
}

async function fail(
  { exchange, route, surface }: RequestRun,
  error: ServiceError,
  { dispatcher, log, refusals }: Serving,
): Promise<void> {
  // The call did not begin; log and metrics count the refusal.
  dispatcher.refuse(route?.method ?? "unknown", error, exchange);
  if (error.code === "internal") log.error({ err: error.cause }, "request failed");
  // A stream that has started is cut, so that clients do not take it for complete.
  if (exchange.response.headersSent) exchange.response.destroy();
  else if (await refusals.admits(exchange, error.code)) await refuse(exchange, surface, error);
}
