import type { RequestListener } from "node:http";
import type { Verb } from "../../shared/methods/define.js";
import type { HealthScope } from "../../shared/values/health-scopes.js";
import { lazy } from "../../shared/values/lazy.js";
import type { ServiceError } from "../errors.js";
import type { Health } from "../observe/health.js";
import type { Log } from "../observe/log.js";
import type { AnswerBudget } from "../rpc/answers/answer-budget.js";
import type { Methods } from "../rpc/bind.js";
import { Heads, preflightHeaders } from "./answers/headers.js";
import { RefusalTally } from "./answers/refusal-tally.js";
import type { FrameworkDeps } from "./framework.js";
import { healthRoutes } from "./health.js";
import { jsonRpcRoutes } from "./json-rpc.js";
import { mirrorRoutes } from "./lite/mirror/routes.js";
import { queryMethod } from "./lite/query-call.js";
import { liteQueryRoute } from "./lite/query-route.js";
import { isShared } from "./requests/admit.js";
import { HeadCheck } from "./requests/ambiguous-head.js";
import { openRequest, type RequestRun, runRequest, type Serving } from "./requests/request-run.js";
import { headRefusal } from "./requests/request-size.js";
import { restRoutes } from "./rest.js";
import { RouteTable } from "./route-table.js";
import type { CallDeps, Handle, Route } from "./routes.js";

/** Dependencies of the public HTTP interface. */
export type AppDeps = CallDeps &
  FrameworkDeps & {
    methods: Methods;
    budget: AnswerBudget;
    health: Pick<Health, "report">;
    /** Scope of health checks that do not name one. */
    healthScope: HealthScope;
    log: Pick<Log, "error">;
    /** Version of this package; its patch number is part of `X-API-Version`. */
    version: string;
    /** Monotonic clock, ms. */
    monotonicNow?: () => number;
    /** Routes other than those of methods. */
    routes?: readonly [path: string, route: Route][];
  };

/**
 * The request listener of the public HTTP interface. Calls are routed by path and answered without Koa, whose
 * overhead per request exceeds that of a cached answer; Koa serves documents and pages.
 */
export function createApp(deps: AppDeps): RequestListener {
  const { dispatcher, log, budget } = deps;
  const routes = new RouteTable([
    ...restRoutes(deps.methods, deps),
    ...jsonRpcRoutes(deps),
    ...(deps.methods.has(queryMethod) ? [liteQueryRoute(deps), ...mirrorRoutes(deps)] : []),
    ...healthRoutes(deps.health, deps.healthScope),
    ...(deps.routes ?? []),
  ]);
  const now = deps.monotonicNow ?? (() => performance.now());
  const refusals = new RefusalTally(now, (request) => isShared(request, deps.access));
  const heads = new Heads(deps.version);
  const serving: Serving = {
    dispatcher,
    log,
    budget,
    routes,
    heads,
    refusals,
  };
  const { pages, missing } = deps;
  // Loading Koa would take a tenth of the start, so it is left to the first request that needs it.
  const framework = lazy(async () =>
    (await import("./framework.js")).createFramework({ pages, missing }, serving),
  );
  const serveRest: Handle = async ({ request, response }) => (await framework())(request, response);
  const headCheck = new HeadCheck();
  return (request, response) => {
    if (headCheck.isEnded(request)) return;
    const requestRun = openRequest(request, response, serving);
    const ambiguity = headCheck.refusal(request);
    const handle = ambiguity ? endConnection(ambiguity) : handleOf(requestRun);
    void runRequest(handle ?? serveRest, requestRun, serving);
  };
}

/** Refuses a request, and closes its connection. */
function endConnection(refusal: ServiceError): Handle {
  return (exchange) => {
    exchange.addHeaders({ Connection: "close" });
    return Promise.reject(refusal);
  };
}

function handleOf({ exchange: { request }, route, surface }: RequestRun): Handle | undefined {
  if (request.method === "OPTIONS") return answerPreflight;
  const refusal = headRefusal(request, surface);
  if (refusal) return () => Promise.reject(refusal);
  // HEAD is handled as GET; Node omits the body.
  return route?.handlers[request.method === "HEAD" ? "GET" : (request.method as Verb)];
}

const answerPreflight: Handle = (exchange) => exchange.sendEmpty(204, preflightHeaders(exchange.request));
