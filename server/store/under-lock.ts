import { setMaxListeners } from "node:events";
import { FirstSignal } from "../os/first-signal.js";
import type { Database, Lock } from "./database.js";

/** Runs work while this process holds the lock of a number. The work's signal also fires when the lock is lost. */
export async function underLock<T>(
  database: Database,
  number: number,
  signal: AbortSignal,
  work: (signal: AbortSignal, lock: Lock) => Promise<T>,
): Promise<T> {
  const lock = await database.lock(number, signal);
  const either = new FirstSignal(signal, lock.lost);
  setMaxListeners(0, either.signal);
  try {
    return await work(either.signal, lock);
  } finally {
    either.clear();
    await lock.release();
  }
}
