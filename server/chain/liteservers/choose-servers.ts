import type { Liteserver } from "./liteserver.js";
import type { Requirement } from "./requirement.js";

/** A server more than this many blocks behind the best one is only queried for old data. */
const maxLag = 3;

/** Requirements of a call, and preferences from its earlier attempts. */
type Choice = {
  requirement: Requirement;
  /** Seqno of the newest block any server has. */
  best: number;
  /** Prefer the longest history, even if the server lags. */
  deep: boolean;
  /** Prefer servers that have the newest block. */
  fresh: boolean;
};

/** Servers that can answer: those that have the data first, and the fastest first among these. Omits the others. */
export function choose(servers: readonly Liteserver[], choice: Choice): Liteserver[] {
  return servers
    .flatMap((server) => {
      const rank = rankOf(server, choice);
      return rank === undefined ? [] : [{ server, rank }];
    })
    .sort((a, b) => a.rank - b.rank || byHistory(a.server, b.server, choice) || bySpeed(a.server, b.server))
    .map(({ server }) => server);
}

/** 0: has the data; 1: will have it soon; 2: its history starts later than the data. Undefined: cannot answer. */
function rankOf(server: Liteserver, { requirement, best, deep, fresh }: Choice): number | undefined {
  const { seqno, points } = requirement;
  const { head, oldest } = server;
  if (!head || !server.holds(points)) return undefined;
  const lag = best - head.seqno;
  if (seqno === undefined && lag > maxLag && !deep) return undefined;
  if (seqno === undefined) return fresh && lag > 0 ? 1 : 0;
  if (head.seqno < seqno) return lag <= maxLag ? 1 : undefined;
  return oldest !== undefined && oldest > seqno ? 2 : 0;
}

function byHistory(a: Liteserver, b: Liteserver, { deep }: Choice): number {
  if (!deep) return 0;
  const first = ({ oldest }: Liteserver) => oldest ?? Number.MAX_SAFE_INTEGER;
  return first(a) - first(b);
}

function bySpeed(a: Liteserver, b: Liteserver): number {
  return a.expectedMs - b.expectedMs;
}
