import type { Config } from "./config.js";
import { createAdminHandler } from "./http/admin.js";
import { createListener } from "./http/listener.js";
import type { Metrics } from "./metrics.js";
import type { Parts } from "./parts.js";
import { refusePort } from "./port-refusal.js";
import type { Readiness } from "./readiness.js";
import { version } from "./version.js";

export type AdminFrame = {
  config: Config;
  parts: Parts;
  readiness: Readiness;
  metrics: Pick<Metrics, "text">;
  now: () => number;
};

const drainMs = 10_000;

/** For the operator of any kind of process. `details` are what its status shows beside what all have. */
export function openAdminListener(
  { config, parts, readiness, metrics, now }: AdminFrame,
  details: () => Readonly<Record<string, unknown>>,
): Promise<string> {
  const startedAt = now();
  const status = () => ({
    state: readiness.phase,
    version,
    network: config.network,
    uptime_sec: Math.floor((now() - startedAt) / 1000),
    ...details(),
  });
  const handler = createAdminHandler({ metrics, status, readiness });
  const listener = createListener({ host: "127.0.0.1", port: config.adminPort, handler });
  return parts
    .add(listener, (each) => each.close(drainMs))
    .listen()
    .catch(refusePort("--admin-port"));
}
