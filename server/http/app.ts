import type { RequestListener } from "node:http";
import Router from "@koa/router";
import Koa, { type Context, type Next } from "koa";
import type { Verb } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";
import type { Log } from "../log.js";
import type { Methods } from "../rpc/bind.js";
import { Exchange, targetOf } from "./exchange.js";
import { type HeaderList, Heads, isV3, preflight } from "./headers.js";
import { healthRoutes, type Ready } from "./health.js";
import { jsonRpcRoutes } from "./json-rpc.js";
import { asServiceError, refuse, type Surface } from "./refusal.js";
import { restRoutes } from "./rest.js";
import type { CallDeps, Routes } from "./routes.js";

export type AppDeps = CallDeps & {
  methods: Methods;
  readiness: Ready;
  log: Pick<Log, "error">;
  /** Of this package; its patch number is part of `X-API-Version`. */
  version: string;
  /** Adds documents and pages: everything that is not a call. */
  pages?: (router: Router) => void;
};

const maxUrlLength = 8192;

/** The public HTTP interface, as something to give a server. */
export function createApp(deps: AppDeps): RequestListener {
  const routes: Routes = new Map([
    ...restRoutes(deps.methods, deps),
    ...jsonRpcRoutes(deps),
    ...healthRoutes(deps.readiness),
  ]);
  const heads = new Heads(deps.version);
  const router = new Router();
  deps.pages?.(router);

  const app = new Koa();
  app.on("error", (error) => deps.log.error({ err: error }, "page failed"));
  const { dispatcher, log } = deps;
  const serving: Serving = { dispatcher, log, routes, heads };
  app.use((context, next) => serve(context, next, serving));
  app.use(router.routes());
  return app.callback();
}

type Serving = Pick<AppDeps, "dispatcher" | "log"> & { routes: Routes; heads: Heads };

/** Exact paths are answered here, written straight to the response; the router is asked for what is left. */
async function serve(context: Context, next: Next, serving: Serving): Promise<void> {
  const { routes, heads } = serving;
  const { req: request, res: response } = context;
  const target = targetOf(request.url ?? "/");
  const head = heads.of(target.path);
  const exchange = new Exchange(request, response, target, head);
  const route = routes.get(target.path) ?? routes.get(target.path.replace(/(?<=.)\/$/, ""));
  const surface = route?.surface ?? (isV3(target.path) ? "v3" : "v2");
  context.respond = false;
  try {
    if (request.method === "OPTIONS") return exchange.sendEmpty(204, preflight);
    if (request.url!.length > maxUrlLength) throw tooLong();
    const handle = route?.handlers[verbOf(request.method) as Verb];
    if (handle) return await handle(exchange);
    if (await servePage(context, next, head)) return;
    const verbs = route ? Object.keys(route.handlers) : pageVerbs(context);
    throw verbs.length > 0 ? wrongVerb(exchange, surface, verbs) : unknownRoute(exchange, surface);
  } catch (thrown) {
    await fail(exchange, surface, asServiceError(thrown), serving);
  }
}

/** HEAD is GET whose body Node leaves out. */
function verbOf(method: string | undefined): string | undefined {
  return method === "HEAD" ? "GET" : method;
}

/** Lets the router answer; `false` when it has nothing there. */
async function servePage(context: Context, next: Next, head: HeaderList): Promise<boolean> {
  await next();
  const served = context.body !== undefined || context.status !== 404;
  if (served) for (let i = 0; i < head.length; i += 2) context.set(head[i]!, head[i + 1]!);
  context.respond = served;
  return served;
}

async function fail(
  exchange: Exchange,
  surface: Surface,
  error: ServiceError,
  { dispatcher, log }: Serving,
): Promise<void> {
  // No method was reached, but whoever watches the service wants to see refusals too.
  dispatcher.refuse("unknown", error, exchange);
  if (error.code === "internal") log.error({ err: error.cause }, "request failed");
  // A stream that has begun can only be cut, so that nobody takes it for complete.
  if (exchange.response.headersSent) exchange.response.destroy();
  else await refuse(exchange, surface, error);
}

function tooLong(): ServiceError {
  return new ServiceError("too-large", `request is too large: at most ${maxUrlLength} bytes of URL`, {
    data: { max: maxUrlLength },
  });
}

/** What the router has at this path under other verbs. */
function pageVerbs(context: Context & { matched?: readonly { methods: readonly string[] }[] }): string[] {
  return (context.matched ?? []).flatMap(({ methods }) => methods);
}

function wrongVerb(exchange: Exchange, surface: Surface, verbs: readonly string[]): ServiceError {
  const all = new Set([...verbs, ...(verbs.includes("GET") ? ["HEAD"] : []), "OPTIONS"]);
  exchange.addHeaders({ Allow: [...all].join(", ") });
  const onJsonRpc = surface === "ton-center" || surface === "strict";
  return new ServiceError(
    "wrong-verb",
    onJsonRpc ? `method ${exchange.request.method} is not supported` : undefined,
  );
}

function unknownRoute({ request, path }: Exchange, surface: Surface): ServiceError {
  return new ServiceError("unknown-route", surface === "v3" ? `Cannot ${request.method} ${path}` : undefined);
}
