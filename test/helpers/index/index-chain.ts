import { Follower, type FollowerSetting } from "../../../server/indexer/follow/follower.js";
import type { Database } from "../../../server/store/database.js";
import { readQueueLength } from "../../../server/store/queries/upkeep/recognition-queue.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { queriesOf } from "../store/queries-of.js";
import { until } from "../until.js";

/** Contracts that are recognised later have no pauses. */
const unlimited = Number.POSITIVE_INFINITY;

/** Waits until no contract is left to be recognised. */
async function recognised(database: Database): Promise<void> {
  const sql = queriesOf(database);
  await until("contracts to be recognised", async () => (await readQueueLength(sql)).length === 0);
}

/** A follower that fails loudly; tests override its special parts. */
export function follow(
  database: Database,
  lite: LiteApi,
  special: Partial<FollowerSetting> = {},
): { follower: Follower; reaches(seqno: number): Promise<void> } {
  let stored = 0;
  let failure: Error | undefined;
  const waiting = new Set<() => void>();
  const tell = () => {
    for (const look of waiting) look();
  };
  const follower = Follower.start({
    database,
    lite,
    network: "test",
    from: 1,
    mayRevert: false,
    worker: "test",
    now: () => Date.now(),
    ...special,
    onError(error, final) {
      special.onError?.(error, final);
      if (final) failure = error;
      tell();
    },
    onStored(seqno) {
      stored = seqno;
      special.onStored?.(seqno);
      tell();
    },
  });
  const reaches = (seqno: number) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (failure) reject(failure);
        else if (stored === seqno) resolve();
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  return { follower, reaches };
}

/** Indexes a chain that does not grow, up to its end, with the contracts that are recognised later. */
export async function indexAll(
  database: Database,
  lite: LiteApi,
  special: Partial<FollowerSetting> = {},
): Promise<void> {
  const { last } = await lite.getMasterchainInfo();
  const { follower, reaches } = follow(database, lite, { lateShare: unlimited, ...special });
  try {
    await reaches(last.seqno);
    if (special.detection && special.lateShare !== 0) await recognised(database);
  } finally {
    await follower.close();
  }
}
