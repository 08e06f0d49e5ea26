import { ServiceError } from "../errors.js";
import type { Exchange } from "./answers/exchange.js";
import { refuse } from "./answers/refusal.js";
import { lastOf, parseQuery } from "./requests/query.js";
import type { Handle, Route } from "./routes.js";

/** Readiness of the service, as its health checks report it. */
export type HealthState = {
  /** Why no call can be served; `undefined` if calls can be served. */
  readonly unavailableReason: string | undefined;
  /** Why a load balancer should prefer another instance; `undefined` if healthy. */
  readonly degradedReason: string | undefined;
  /** As `degradedReason`, without the index: API v2 does not need it. */
  readonly degradedWithoutIndex: string | undefined;
};

/** The scope of a `/healthcheck` whose query names none: everything, or API v2 alone. */
export type HealthScope = "all" | "v2";

/** Health checks for load balancers: no API key needed, no points charged. `?only=v2` leaves the index out. */
export function healthRoutes(
  ready: Pick<HealthState, "degradedReason" | "degradedWithoutIndex">,
  usual: HealthScope,
): [path: string, route: Route][] {
  const reasonFor = ({ search }: Exchange) => {
    const scope = lastOf(parseQuery(search), "only") ?? usual;
    if (scope === "v2") return ready.degradedWithoutIndex;
    if (scope === "all") return ready.degradedReason;
    throw new ServiceError("invalid-params", "only: allowed are all and v2");
  };
  const text: Handle = (exchange) => {
    const reason = reasonFor(exchange);
    if (reason !== undefined) exchange.addHeaders({ "Retry-After": "1" });
    return exchange.send(reason === undefined ? 200 : 503, reason ?? "OK", "text/plain; charset=utf-8");
  };
  const json: Handle = (exchange) => {
    const reason = reasonFor(exchange);
    if (reason !== undefined) return refuse(exchange, "v2", new ServiceError("unavailable", reason));
    return exchange.send(200, '"OK"');
  };
  return [
    ["/healthcheck", { surface: "v2", handlers: { GET: text } }],
    ["/api/v2/healthcheck", { surface: "v2", handlers: { GET: json } }],
  ];
}
