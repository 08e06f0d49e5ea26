import { isLoopbackHost } from "../access/local-request.js";
import { usualAdminPort } from "../config/settings.js";
import { createAdminHandler } from "../http/admin.js";
import { createListener } from "../http/listener.js";
import type { Context } from "./context.js";
import { drainMs } from "./cut-off.js";
import type { LiteserverPool } from "./liteserver-pool.js";
import { explainPortError, isPortTaken } from "./port-error.js";
import { liteserversStatus } from "./status.js";
import { version } from "./version.js";

/** The parts of the status that differ between kinds of processes. */
export type AdminOptions = {
  liteservers?: Pick<LiteserverPool, "status"> | undefined;
  /** Further members of `/status`. */
  details(): Readonly<Record<string, unknown>>;
};

/** Opens the operator's endpoint (metrics, status, health). Returns its URL; `undefined` if it is disabled. */
export async function openAdminEndpoint(
  { config, closers, health, log, metrics, now }: Context,
  { liteservers, details }: AdminOptions,
): Promise<string | undefined> {
  const { adminHost: host, adminPort, network } = config;
  if (adminPort === 0) return undefined;
  if (liteservers) metrics.watchLiteservers(() => liteservers.status());
  const startedAt = now();
  const status = () => ({
    state: health.phase,
    version,
    network,
    uptime_sec: Math.floor((now() - startedAt) / 1000),
    ...(liteservers && { liteservers: liteserversStatus(liteservers.status()) }),
    ...details(),
  });
  const handler = createAdminHandler({
    metrics,
    status,
    health,
    isLoopback: isLoopbackHost(host),
  });
  const openPort = (port: number) =>
    closers
      .add(createListener({ host, port, handler }), async (each) => void (await each.close(drainMs)))
      .listen();
  try {
    return await openPort(adminPort ?? usualAdminPort);
  } catch (error) {
    // Several devnets run on one machine, where nobody looks at their metrics.
    if (!isPortTaken(error) || adminPort !== undefined || network !== "devnet")
      return explainPortError("--admin-port")(error as NodeJS.ErrnoException);
    const url = await openPort(0);
    log.info(
      `port ${usualAdminPort} is taken, so metrics and status are at ${url}; --admin-port names a port`,
    );
    return url;
  }
}
