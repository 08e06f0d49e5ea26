import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import Router from "@koa/router";
import Koa, { type Context, type Next } from "koa";
import type { Verb } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";
import type { Log } from "../observe/log.js";
import type { AnswerBudget } from "../rpc/answer-budget.js";
import type { Methods } from "../rpc/bind.js";
import { isShared } from "./admit.js";
import { Exchange, targetOf } from "./exchange.js";
import { Heads, isStreaming, isV3, preflightHeaders } from "./headers.js";
import { type HealthState, healthRoutes } from "./health.js";
import { jsonRpcRoutes } from "./json-rpc.js";
import { asServiceError, refuse, type Surface } from "./refusal.js";
import { RefusalTally } from "./refusal-tally.js";
import { headRefusal } from "./request-size.js";
import { restRoutes } from "./rest.js";
import type { CallDeps, Handle, Route, Routes } from "./routes.js";
import { WholeAnswers } from "./whole-answers.js";

/** Dependencies of the public HTTP interface. */
export type AppDeps = CallDeps & {
  methods: Methods;
  budget: AnswerBudget;
  health: Pick<HealthState, "degradedReason">;
  log: Pick<Log, "error">;
  /** Version of this package; its patch number is part of `X-API-Version`. */
  version: string;
  /** Monotonic clock, ms. */
  monotonicNow?: () => number;
  /** Routes beside those of methods. */
  routes?: readonly [path: string, route: Route][];
  /** Adds the routes of documents and pages. */
  pages?: (router: Router) => void;
  /** May answer a path that nothing is known of; otherwise the answer is an error of the API. */
  missing?: (context: Context) => void;
};

/**
 * The request listener of the public HTTP interface. Calls are routed by exact path and answered without Koa, whose
 * overhead per request exceeds that of a cached answer; Koa serves documents and pages.
 */
export function createApp(deps: AppDeps): RequestListener {
  const { dispatcher, log, budget } = deps;
  const routes: Routes = new Map([
    ...restRoutes(deps.methods, deps),
    ...jsonRpcRoutes(deps),
    ...healthRoutes(deps.health),
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
    wholeAnswers: new WholeAnswers(),
  };
  const serveRest = createFramework(deps, serving);
  return (request, response) => {
    const visit = open(request, response, serving);
    const handle = handleOf(visit);
    if (handle) void run(handle, visit, serving);
    else serveRest(request, response);
  };
}

type Serving = Pick<AppDeps, "dispatcher" | "log" | "budget"> & {
  routes: Routes;
  heads: Heads;
  refusals: RefusalTally;
  wholeAnswers: WholeAnswers;
};

/** A request and the route of its path, if there is one. */
type Visit = { readonly exchange: Exchange; readonly route: Route | undefined; readonly surface: Surface };

function open(request: IncomingMessage, response: ServerResponse, serving: Serving): Visit {
  const { routes, heads, budget, wholeAnswers } = serving;
  const target = targetOf(request.url ?? "/");
  const { path } = target;
  // One trailing slash is ignored.
  const route = routes.get(path) ?? (path.endsWith("/") ? routes.get(path.slice(0, -1)) : undefined);
  const exchange = new Exchange({ request, response, target, head: heads.of(path), budget, wholeAnswers });
  return { exchange, route, surface: route?.surface ?? (isV3(path) || isStreaming(path) ? "v3" : "v2") };
}

function handleOf({ exchange: { request }, route, surface }: Visit): Handle | undefined {
  if (request.method === "OPTIONS") return answerPreflight;
  const refusal = headRefusal(request, surface);
  if (refusal) return () => Promise.reject(refusal);
  // HEAD is handled as GET; Node omits the body.
  return route?.handlers[request.method === "HEAD" ? "GET" : (request.method as Verb)];
}

/** Never rejects. */
async function run(handle: Handle, { exchange, surface }: Visit, serving: Serving): Promise<void> {
  try {
    await handle(exchange);
  } catch (thrown) {
    await fail(exchange, surface, asServiceError(thrown), serving);
  }
}

/** Serves documents and pages with the common headers; answers 404 or 405 for everything else. */
function createFramework({ pages, missing }: AppDeps, serving: Serving): RequestListener {
  const router = new Router();
  pages?.(router);
  const app = new Koa();
  app.on("error", (error) => serving.log.error({ err: error }, "page failed"));
  app.use((context, next) => {
    const visit = open(context.req, context.res, serving);
    return run(() => servePage(context, next, { visit, missing }), visit, serving);
  });
  app.use(router.routes());
  return app.callback();
}

async function servePage(
  context: Context,
  next: Next,
  { visit, missing }: { visit: Visit; missing: AppDeps["missing"] | undefined },
): Promise<void> {
  context.respond = false;
  await next();
  const verbs = pageVerbs(context);
  if (verbs.length === 0 && !visit.route) missing?.(context);
  context.respond = context.body !== undefined || context.status !== 404;
  if (!context.respond) throw notFound(visit, verbs);
  const { head } = visit.exchange;
  for (let i = 0; i < head.length; i += 2) context.set(head[i]!, head[i + 1]!);
}

async function fail(
  exchange: Exchange,
  surface: Surface,
  error: ServiceError,
  { dispatcher, log, refusals }: Serving,
): Promise<void> {
  // No method was reached; metrics still count the refusal.
  dispatcher.refuse("unknown", error, exchange);
  if (error.code === "internal") log.error({ err: error.cause }, "request failed");
  // A stream that has started is cut, so that clients do not take it for complete.
  if (exchange.response.headersSent) exchange.response.destroy();
  else if (await refusals.admits(exchange, error.code)) await refuse(exchange, surface, error);
}

const answerPreflight: Handle = (exchange) => exchange.sendEmpty(204, preflightHeaders(exchange.request));

/** Verbs that the router has at this path. */
function pageVerbs(context: Context & { matched?: readonly { methods: readonly string[] }[] }): string[] {
  return (context.matched ?? []).flatMap(({ methods }) => methods);
}

function notFound({ exchange, route, surface }: Visit, pageVerbs: readonly string[]): ServiceError {
  const { request, path } = exchange;
  const verbs = [...Object.keys(route?.handlers ?? {}), ...pageVerbs];
  if (verbs.length === 0) {
    return new ServiceError(
      "unknown-route",
      surface === "v3" ? `Cannot ${request.method} ${path}` : undefined,
    );
  }
  const all = new Set([...verbs, ...(verbs.includes("GET") ? ["HEAD"] : []), "OPTIONS"]);
  exchange.addHeaders({ Allow: [...all].join(", ") });
  const onJsonRpc = surface === "ton-center" || surface === "strict";
  return new ServiceError("wrong-verb", onJsonRpc ? `method ${request.method} is not supported` : undefined);
}
