import type pg from "pg";
import type { ConnectionNumbers } from "../database.js";
import type { ConnectionWaits } from "./pooled-sql.js";

export function connectionNumbers(pools: readonly pg.Pool[], waits: ConnectionWaits): ConnectionNumbers {
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
  return {
    open: sum(({ totalCount }) => totalCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
    waits: waits.count,
    waitedSec: waits.ms / 1000,
  };
}
