import type { Config } from "../config/settings.js";
import { createAdminHandler } from "../http/admin.js";
import { createListener } from "../http/listener.js";
import type { Readiness } from "../observe/health.js";
import type { Metrics } from "../observe/metrics.js";
import type { Parts } from "./closers.js";
import type { Liteservers } from "./liteserver-pool.js";
import { refusePort } from "./port-error.js";
import { version } from "./version.js";

export type AdminFrame = {
  config: Config;
  parts: Parts;
  readiness: Readiness;
  metrics: Pick<Metrics, "text" | "watchLiteservers">;
  now: () => number;
};

/** What a process has besides what all have. */
export type AdminSubject = {
  liteservers?: Pick<Liteservers, "status"> | undefined;
  /** More of its status. */
  details(): Readonly<Record<string, unknown>>;
};

const drainMs = 10_000;

/** For the operator of any kind of process. Gives the address, unless the configuration switches it off. */
export async function openAdminListener(
  { config, parts, readiness, metrics, now }: AdminFrame,
  { liteservers, details }: AdminSubject,
): Promise<string | undefined> {
  if (config.adminPort === 0) return undefined;
  if (liteservers) metrics.watchLiteservers(() => liteservers.status().servers);
  const startedAt = now();
  const status = () => ({
    state: readiness.phase,
    version,
    network: config.network,
    uptime_sec: Math.floor((now() - startedAt) / 1000),
    ...(liteservers && { liteservers: liteservers.status() }),
    ...details(),
  });
  const handler = createAdminHandler({ metrics, status, readiness });
  const listener = createListener({ host: "127.0.0.1", port: config.adminPort, handler });
  return parts
    .add(listener, (each) => each.close(drainMs))
    .listen()
    .catch(refusePort("--admin-port"));
}
