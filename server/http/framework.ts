import type { RequestListener } from "node:http";
import Router from "@koa/router";
import Koa, { type Context, type Next } from "koa";
import { ServiceError } from "../errors.js";
import { openRequest, type RequestRun, runRequest, type Serving } from "./requests/request-run.js";

export type FrameworkDeps = {
  /** Adds the routes of documents and pages. */
  pages?: ((router: Router) => void) | undefined;
  /** May answer a path that nothing is known of; otherwise the answer is an error of the API. */
  missing?: ((context: Context) => void) | undefined;
};

/** Serves documents and pages with the common headers; answers 404 or 405 for everything else. */
export function createFramework({ pages, missing }: FrameworkDeps, serving: Serving): RequestListener {
  const router = new Router();
  pages?.(router);
  const app = new Koa();
  app.on("error", (error) => serving.log.error({ err: error }, "page failed"));
  app.use((context, next) => {
    const requestRun = openRequest(context.req, context.res, serving);
    return runRequest(() => servePage(context, next, { requestRun, missing }), requestRun, serving);
  });
  app.use(router.routes());
  return app.callback();
}

async function servePage(
  context: Context,
  next: Next,
  { requestRun, missing }: { requestRun: RequestRun; missing: FrameworkDeps["missing"] },
): Promise<void> {
  context.respond = false;
  await next();
  const verbs = pageVerbs(context);
  if (verbs.length === 0 && !requestRun.route) missing?.(context);
  context.respond = context.body !== undefined || context.status !== 404;
  if (!context.respond) throw notFound(requestRun, verbs);
  const { head } = requestRun.exchange;
  for (let i = 0; i < head.length; i += 2) context.set(head[i]!, head[i + 1]!);
}

/** Verbs that the router has at this path. */
function pageVerbs(context: Context & { matched?: readonly { methods: readonly string[] }[] }): string[] {
  return (context.matched ?? []).flatMap(({ methods }) => methods);
}

function notFound({ exchange, route, surface }: RequestRun, pageVerbs: readonly string[]): ServiceError {
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
