import type { PoolServer } from "./pool-server.js";
import type { Requirement } from "./requirement.js";

/** A server this far behind the best one is asked for older data only. */
const maxLag = 3;

/** What the choice goes by, beside the servers themselves. */
export type Choice = {
  need: Requirement;
  /** Seqno of the newest block any server has. */
  best: number;
  /** What is asked for is old: those with the longest history are asked first, however late their news. */
  deep: boolean;
  /** What is asked for may be as new as the newest block: those that have that are asked first. */
  fresh: boolean;
};

/** The servers that are of use, those that have what is needed first, and of these the ones that answer soonest. */
export function choose(servers: readonly PoolServer[], choice: Choice): PoolServer[] {
  return servers
    .map((server) => ({ server, rank: rankOf(server, choice) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank! || byHistory(a.server, b.server, choice) || bySpeed(a.server, b.server))
    .map(({ server }) => server);
}

/** 0: has it all; 1: will have it soon; 2: its history begins later than what is needed. None: of no use. */
function rankOf(server: PoolServer, { need, best, deep, fresh }: Choice): number | undefined {
  const { seqno, points } = need;
  const { head, oldest } = server;
  const lag = best - head!.seqno;
  if (!server.holds(points)) return undefined;
  if (seqno === undefined && lag > maxLag && !deep) return undefined;
  if (seqno === undefined) return fresh && lag > 0 ? 1 : 0;
  if (head!.seqno < seqno) return lag <= maxLag ? 1 : undefined;
  return oldest !== undefined && oldest > seqno ? 2 : 0;
}

function byHistory(a: PoolServer, b: PoolServer, { deep }: Choice): number {
  if (!deep) return 0;
  const [first, second] = [a, b].map(({ oldest }) => oldest ?? Number.MAX_SAFE_INTEGER);
  return first! - second!;
}

function bySpeed(a: PoolServer, b: PoolServer): number {
  return a.expectedMs - b.expectedMs;
}
