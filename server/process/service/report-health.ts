import type { Access } from "../../access/access.js";
import type { Reason } from "../../observe/health.js";
import type { Context } from "../context/context.js";
import type { Network } from "./network.js";

/** Reports which calls the process answers. While the newest keys cannot be read, those that were read before count. */
export function reportHealth({ config, health }: Context, access: Access, chain: Network): void {
  const { indexing } = chain;
  const keyless = () => (access.knowsKeys ? undefined : keysReason(access));
  health.answers("v2", () => chain.unreadableReason() ?? keyless());
  health.startsBy(() => chain.startupReason());
  if (config.index) {
    health.answers("v3", () => indexing.health().reads ?? keyless());
    health.startsBy(() => indexing.health().startup);
    health.degradedBy(() => indexing.health().degraded);
  }
  const hasOwnIndex = config.index && config.databaseLayout === "tonwire";
  if (hasOwnIndex || config.network === "devnet")
    health.answers("writes", () => chain.unwritableReason() ?? indexing.health().writes ?? keyless());
  health.degradedBy(() => (access.knowsKeys ? keysReason(access) : undefined));
}

function keysReason({ keysFailure: detail }: Access): Reason | undefined {
  return detail === undefined ? undefined : { text: "The newest keys cannot be read", detail };
}
