import type { RequestListener } from "node:http";
import { isLoopbackHost } from "../access/local-request.js";
import { checkHealth, type HealthReport } from "../observe/health.js";
import type { Metrics } from "../observe/metrics.js";
import { targetOf } from "./answers/exchange.js";
import { hostOf } from "./answers/headers.js";
import { asServiceError } from "./answers/refusal.js";
import { scopeIn, wrongScope } from "./health.js";
import { ambiguityOf } from "./requests/ambiguous-head.js";

type Status = Readonly<Record<string, unknown>>;

/** Sources of the operator's endpoint. Promises must not reject. */
export type AdminSources = Omit<AdminDeps, "isLoopback">;

type AdminDeps = {
  metrics: Pick<Metrics, "text">;
  /** Content of `/status`: plain JSON values. */
  status: () => Status | Promise<Status>;
  health: { readonly report: HealthReport | Promise<HealthReport> };
  /** What keys have used, by the query of the request; absent where no calls are answered. */
  usage?: (search: string) => Promise<{ type: string; body: string }>;
  /** Whether it listens on loopback. */
  isLoopback: boolean;
};

/**
 * The operator's endpoint: `/metrics` for Prometheus, `/status` as JSON, `/healthcheck` for orchestrators, with the
 * causes, `/usage` of all keys as JSON or CSV.
 * On loopback the check of `Host` keeps pages out that rebind their own name to it.
 */
export function createAdminHandler({
  metrics,
  status,
  health,
  usage,
  isLoopback,
}: AdminDeps): RequestListener {
  return async (request, response) => {
    const answer = (code: number, type: string, body: string) =>
      response.writeHead(code, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    const ambiguity = ambiguityOf(request);
    if (ambiguity) {
      response.setHeader("Connection", "close");
      return answer(ambiguity.statusIn("v2"), "text/plain", `${ambiguity.message}\n`);
    }
    if (request.method !== "GET" && request.method !== "HEAD")
      return answer(405, "text/plain", "Method Not Allowed\n");
    if (isLoopback && !isLoopbackHost(hostOf(request)))
      return answer(403, "text/plain", "Forbidden: Host must be a name or an address of this machine\n");
    const { path, search } = targetOf(request.url ?? "/");
    if (path === "/metrics") return answer(200, "text/plain; version=0.0.4", await metrics.text());
    if (path === "/status")
      return answer(200, "application/json", `${JSON.stringify(await status(), null, 2)}\n`);
    if (path === "/healthcheck") {
      const scope = scopeIn(search, "any");
      if (scope === undefined) return answer(422, "text/plain", `${wrongScope}\n`);
      const [code, text] = checkHealth(await health.report, scope, "operator");
      return answer(code, "text/plain", text);
    }
    if (path === "/usage" && usage) {
      try {
        const { type, body } = await usage(search);
        return answer(200, type, body);
      } catch (thrown) {
        const error = asServiceError(thrown);
        const why =
          error.code === "internal" ? `usage cannot be read: ${(thrown as Error).message}` : error.message;
        return answer(error.code === "internal" ? 503 : 400, "text/plain", `${why}\n`);
      }
    }
    return answer(
      404,
      "text/plain",
      `Not found. Available: /metrics, /status, /healthcheck${usage ? ", /usage" : ""}.\n`,
    );
  };
}
