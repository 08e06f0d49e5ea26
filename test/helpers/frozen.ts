import { existsSync, readFileSync } from "node:fs";
import { until } from "./until.js";

/** Whether this system can freeze a program. */
export const mayFreeze = process.platform === "linux";

type Running = { readonly pid?: number | undefined };

/** The program and its children, such as the processes of a server's sessions, stand still: their connections stay open. */
export function freeze(running: Running): void {
  signalAll(running, "SIGSTOP");
}

export function thaw(running: Running): void {
  signalAll(running, "SIGCONT");
}

/** Ends the program and its children at once, as the system does without memory. Resolves when all are gone. */
export async function killAll(running: Running): Promise<void> {
  const pids = signalAll(running, "SIGKILL");
  await until("the end of the program", () => pids.every((pid) => !existsSync(`/proc/${pid}`)));
}

type Signal = "SIGSTOP" | "SIGCONT" | "SIGKILL";

function signalAll({ pid }: Running, signal: Signal): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  const pids = children === "" ? [] : children.split(/\s+/).map(Number);
  process.kill(pid!, signal);
  for (const child of pids) signalIfThere(child, signal);
  return [pid!, ...pids];
}

/** A child that has ended is gone once the program has seen it. */
function signalIfThere(pid: number, signal: Signal): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
