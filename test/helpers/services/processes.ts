import { readdirSync, readFileSync } from "node:fs";

/** Ticks of Linux, for the times in /proc. */
const ticksPerSecond = 100;

type Status = { parent: number; ticks: number };

/** Processor time of a process and its descendants, user and system, in microseconds. Linux only. */
export function processorMicros(pid: number): number {
  const all = processes();
  const ticks = familyOf(pid, all).reduce((sum, member) => sum + all.get(member)!.ticks, 0);
  return (ticks * 1_000_000) / ticksPerSecond;
}

/** Memory of a process and all that it started: pages in RAM, where shared ones count for each. */
export function residentMegabytes(pid: number): number {
  const sizes = familyOf(pid, processes()).map((member) => {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${member}/status`, "utf8"))?.[1];
    return Number(kibibytes ?? 0) / 1024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Files and sockets that a process has open, and its threads. */
export function filesAndThreads(pid: number): { files: number; threads: number } {
  return { files: readdirSync(`/proc/${pid}/fd`).length, threads: readdirSync(`/proc/${pid}/task`).length };
}

function familyOf(pid: number, all: ReadonlyMap<number, Status>): number[] {
  if (!all.has(pid)) throw new Error(`process ${pid} has ended`);
  const children = [...all].filter(([, { parent }]) => parent === pid).map(([child]) => child);
  return [pid, ...children.flatMap((child) => familyOf(child, all))];
}

function processes(): Map<number, Status> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Map(pids.flatMap((pid) => statusOf(Number(pid)) ?? []));
}

/** Undefined if the process has ended meanwhile. */
function statusOf(pid: number): [[number, Status]] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may contain anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) =>
      Number(fields[at]),
    );
    return [[pid, { parent: parent!, ticks: user! + system! + endedUser! + endedSystem! }]];
  } catch {
    return undefined;
  }
}
