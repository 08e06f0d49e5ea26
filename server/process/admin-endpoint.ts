import { createAdminHandler } from "../http/admin.js";
import { createListener } from "../http/listener.js";
import type { Context } from "./context.js";
import type { Liteservers } from "./liteserver-pool.js";
import { refusePort } from "./port-error.js";
import { version } from "./version.js";

/** What a process has besides what all have. */
export type AdminSubject = {
  liteservers?: Pick<Liteservers, "status"> | undefined;
  /** More of its status. */
  details(): Readonly<Record<string, unknown>>;
};

const drainMs = 10_000;

/** For the operator of any kind of process. Gives the address, unless the configuration switches it off. */
export async function openAdminListener(
  { config, closers, health, metrics, now }: Context,
  { liteservers, details }: AdminSubject,
): Promise<string | undefined> {
  if (config.adminPort === 0) return undefined;
  if (liteservers) metrics.watchLiteservers(() => liteservers.status().servers);
  const startedAt = now();
  const status = () => ({
    state: health.phase,
    version,
    network: config.network,
    uptime_sec: Math.floor((now() - startedAt) / 1000),
    ...(liteservers && { liteservers: liteservers.status() }),
    ...details(),
  });
  const handler = createAdminHandler({ metrics, status, health });
  const listener = createListener({ host: "127.0.0.1", port: config.adminPort, handler });
  return closers
    .add(listener, (each) => each.close(drainMs))
    .listen()
    .catch(refusePort("--admin-port"));
}
