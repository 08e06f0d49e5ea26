import { ServiceError } from "../errors.js";
import { refuse } from "./refusal.js";
import type { Handle, Route } from "./routes.js";

/** Readiness of the service, as its health checks report it. */
export type HealthState = {
  /** Why no call can be served; `undefined` if calls can be served. */
  readonly unavailableReason: string | undefined;
  /** Why a load balancer should prefer another instance; `undefined` if healthy. */
  readonly degradedReason: string | undefined;
};

/** Health checks for load balancers: no API key needed, no points charged. */
export function healthRoutes(ready: Pick<HealthState, "degradedReason">): [path: string, route: Route][] {
  const text: Handle = (exchange) => {
    const reason = ready.degradedReason;
    if (reason !== undefined) exchange.addHeaders({ "Retry-After": "1" });
    return exchange.send(reason === undefined ? 200 : 503, reason ?? "OK", "text/plain; charset=utf-8");
  };
  const json: Handle = (exchange) => {
    const reason = ready.degradedReason;
    if (reason !== undefined) return refuse(exchange, "v2", new ServiceError("unavailable", reason));
    return exchange.send(200, '"OK"');
  };
  return [
    ["/healthcheck", { surface: "v2", handlers: { GET: text } }],
    ["/api/v2/healthcheck", { surface: "v2", handlers: { GET: json } }],
  ];
}
