import { isLoopbackHost } from "../../access/local-request.js";
import { usualAdminPort } from "../../config/settings.js";
import { type AdminSources, createAdminHandler } from "../../http/admin.js";
import { createListener } from "../../http/listener.js";
import type { Context } from "../context/context.js";
import { explainPortError, isPortTaken } from "../context/port-error.js";
import { drainMs } from "../context/shutdown.js";
import type { LiteserverPool } from "../network/liteserver-pool.js";
import { healthStatus, liteserversStatus } from "./status.js";
import { version } from "./version.js";

/** The parts of the status that differ between kinds of processes. */
type AdminOptions = {
  liteservers?: Pick<LiteserverPool, "status"> | undefined;
  /** Further members of `/status`. */
  details(): Readonly<Record<string, unknown>>;
};

/** State of a process for its operator. */
export type Overview = { status(): Readonly<Record<string, unknown>> };

export function overviewOf(
  { config, health, metrics, now }: Context,
  { liteservers, details }: AdminOptions,
): Overview {
  const { network } = config;
  metrics.watchHealth(() => health.report.parts);
  if (liteservers) metrics.watchLiteservers(() => liteservers.status());
  const startedAt = now();
  const status = () => ({
    state: health.phase,
    version,
    network,
    uptime_sec: Math.floor((now() - startedAt) / 1000),
    ...healthStatus(health.report),
    ...(liteservers && { liteservers: liteserversStatus(liteservers.status()) }),
    ...details(),
  });
  return { status };
}

/** Opens the operator's endpoint (metrics, status, health). Returns its URL; `undefined` if it is disabled. */
export function openAdminEndpoint(context: Context, options: AdminOptions): Promise<string | undefined> {
  const { health, metrics } = context;
  return openAdminPort(context, { health, metrics, ...overviewOf(context, options) });
}

/** As `openAdminEndpoint`, with what was made before. */
export async function openAdminPort(
  { config, closers, log }: Pick<Context, "config" | "closers" | "log">,
  sources: AdminSources,
): Promise<string | undefined> {
  const { adminHost: host, adminPort, network } = config;
  if (adminPort === 0) return undefined;
  const handler = createAdminHandler({ ...sources, isLoopback: isLoopbackHost(host) });
  const openPort = (port: number) =>
    closers
      .add(createListener({ host, port, handler }), async (each) => void (await each.close(drainMs)))
      .listen();
  try {
    return await openPort(adminPort ?? usualAdminPort);
  } catch (error) {
    // Several devnets may run on one machine, and most developers never read their metrics: use any free port.
    if (!isPortTaken(error) || adminPort !== undefined || network !== "devnet")
      return explainPortError("--admin-port")(error as NodeJS.ErrnoException);
    const url = await openPort(0);
    log.info(
      `port ${usualAdminPort} is taken, so metrics and status are at ${url}; --admin-port names a port`,
    );
    return url;
  }
}
