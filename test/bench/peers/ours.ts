import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { benchKey, type Program } from "./server.js";

const main = fileURLToPath(new URL("../../../dist/server/main.js", import.meta.url));

export const isBuilt = () => existsSync(main);

/** The built service, as users start it. */
export function ours(...flags: readonly string[]): Program {
  return oursAs("start", ...flags);
}

/** One of its commands that serve. */
export function oursAs(command: "start" | "api", ...flags: readonly string[]): Program {
  if (!isBuilt()) throw new Error("the service is not built: npm run build");
  return {
    command: process.execPath,
    args: (port) => [main, command, "--port", `${port}`, ...flags],
    env: { TONWIRE_ADMIN_PORT: "0", TONWIRE_DEVNET_KEY: benchKey, TONWIRE_LOG_LEVEL: "error" },
  };
}
