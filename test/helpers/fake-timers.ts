import { readFileSync } from "node:fs";

/** Whether a test file uses fake timers, which would stop the services that other files share. */
export function hasFakeTimers(path: string): boolean {
  return readFileSync(path, "utf8").includes("useFakeTimers");
}
