import { readFileSync } from "node:fs";

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

function signalAll({ pid }: Running, signal: "SIGSTOP" | "SIGCONT"): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  process.kill(pid!, signal);
  for (const child of children === "" ? [] : children.split(/\s+/).map(Number)) signalIfThere(child, signal);
}

/** A child that has ended is gone once the program has seen it. */
function signalIfThere(pid: number, signal: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
