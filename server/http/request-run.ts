import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceError } from "../errors.js";
import type { Log } from "../observe/log.js";
import type { AnswerBudget } from "../rpc/answer-budget.js";
import { Exchange, targetOf } from "./exchange.js";
import { type Heads, isStreaming, isV3 } from "./headers.js";
import { asServiceError, refuse, type Surface } from "./refusal.js";
import type { RefusalTally } from "./refusal-tally.js";
import type { CallDeps, Handle, Route, Routes } from "./routes.js";
import type { WholeAnswers } from "./whole-answers.js";

/** Parts that every request needs. */
export type Serving = Pick<CallDeps, "dispatcher"> & {
  log: Pick<Log, "error">;
  budget: AnswerBudget;
  routes: Routes;
  heads: Heads;
  refusals: RefusalTally;
  wholeAnswers: WholeAnswers;
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
  const { routes, heads, budget, wholeAnswers } = serving;
  const target = targetOf(request.url ?? "/");
  const { path } = target;
  // One trailing slash is ignored.
  const route = routes.get(path) ?? (path.endsWith("/") ? routes.get(path.slice(0, -1)) : undefined);
  const exchange = new Exchange({ request, response, target, head: heads.of(path), budget, wholeAnswers });
  return { exchange, route, surface: route?.surface ?? (isV3(path) || isStreaming(path) ? "v3" : "v2") };
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
