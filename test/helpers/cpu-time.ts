/** Processor time of this process while something runs, in milliseconds: other processes do not count. */
export function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  return msSince(before);
}

/** As `cpuMs`, until a promise is settled. */
export async function cpuMsUntil(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return msSince(before);
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
