import { isLoopbackHost } from "../access/local-request.js";
import { createAdminHandler } from "../http/admin.js";
import { createListener } from "../http/listener.js";
import type { Context } from "./context.js";
import type { LiteserverPool } from "./liteserver-pool.js";
import { explainPortError } from "./port-error.js";
import { liteserversStatus } from "./status.js";
import { version } from "./version.js";

/** The parts of the status that differ between kinds of processes. */
export type AdminOptions = {
  liteservers?: Pick<LiteserverPool, "status"> | undefined;
  /** Further members of `/status`. */
  details(): Readonly<Record<string, unknown>>;
};

const drainMs = 10_000;

/** Opens the operator's endpoint (metrics, status, health). Returns its URL; `undefined` if it is disabled. */
export async function openAdminEndpoint(
  { config, closers, health, metrics, now }: Context,
  { liteservers, details }: AdminOptions,
): Promise<string | undefined> {
  if (config.adminPort === 0) return undefined;
  if (liteservers) metrics.watchLiteservers(() => liteservers.status());
  const startedAt = now();
  const status = () => ({
    state: health.phase,
    version,
    network: config.network,
    uptime_sec: Math.floor((now() - startedAt) / 1000),
    ...(liteservers && { liteservers: liteserversStatus(liteservers.status()) }),
    ...details(),
  });
  const handler = createAdminHandler({
    metrics,
    status,
    health,
    isLoopback: isLoopbackHost(config.adminHost),
  });
  const listener = createListener({ host: config.adminHost, port: config.adminPort, handler });
  return closers
    .add(listener, (each) => each.close(drainMs))
    .listen()
    .catch(explainPortError("--admin-port"));
}
