import { type HealthScope, healthScopes } from "../../shared/values/health-scopes.js";
import { ServiceError } from "../errors.js";
import { checkHealth, type Health } from "../observe/health.js";
import type { Exchange } from "./answers/exchange.js";
import { refuse } from "./answers/refusal.js";
import { lastOf, parseQuery } from "./requests/query.js";
import type { Handle, Route } from "./routes.js";

/**
 * Health checks for load balancers: no API key needed, no points charged. A check fails if what `?only=` names is not
 * answered; `usual` is the scope of checks that name none.
 */
export function healthRoutes(
  health: Pick<Health, "report">,
  usual: HealthScope,
): [path: string, route: Route][] {
  const check = ({ search }: Exchange) => {
    const scope = scopeIn(search, usual);
    if (scope === undefined) throw new ServiceError("invalid-params", wrongScope);
    return checkHealth(health.report, scope, "caller");
  };
  const text: Handle = (exchange) => {
    const [status, body] = check(exchange);
    if (status === 503) exchange.addHeaders({ "Retry-After": "1" });
    return exchange.send(status, body, "text/plain; charset=utf-8");
  };
  const json: Handle = (exchange) => {
    const [status, reason] = check(exchange);
    if (status === 503) return refuse(exchange, "v2", new ServiceError("unavailable", reason));
    return exchange.send(200, '"OK"');
  };
  return [
    ["/healthcheck", { surface: "v2", handlers: { GET: text } }],
    ["/api/v2/healthcheck", { surface: "v2", handlers: { GET: json } }],
  ];
}

export const wrongScope = `only: allowed are ${healthScopes.join(", ")}`;

/** The scope of a check that the query names, else `usual`; `undefined` if there is no such scope. */
export function scopeIn(search: string, usual: HealthScope): HealthScope | undefined {
  const named = lastOf(parseQuery(search), "only") ?? usual;
  return healthScopes.find((scope) => scope === named);
}
