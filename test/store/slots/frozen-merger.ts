// A process that merges the old slots of the given database, as one that writes the index does. A test freezes it.

import { dropUnfinished, mergeOldSlots } from "../../../server/store/slots/cold-slots.js";
import { lockNumbers } from "../../../server/store/sql/locks.js";
import { underLock } from "../../../server/store/under-lock.js";
import { openPostgres } from "../../../server/store/wire/postgres.js";

const [url, takeoverMs] = process.argv.slice(2) as [string, string];
const database = openPostgres(url, { connectTimeoutMs: 120_000, takeoverMs: Number(takeoverMs) });
const sql = database.sql({ connections: 2 });
// Without the signal of the lock: only the database keeps it from its work.
await underLock(database, lockNumbers.coldSlots, new AbortController().signal, async (_, lock) => {
  await dropUnfinished(sql, lock);
  const isDone = await mergeOldSlots(sql, { lock, pauseMs: 5, attempts: 100_000 });
  if (!isDone) throw new Error("something is left to be merged");
});
await database.close();
process.exit(0);
