/** Reads that are known or under way, by key: a RecentMap, or a cache of another kind. */
type Reads<Key, Value> = {
  get(key: Key): Promise<Value> | undefined;
  set(key: Key, reading: Promise<Value>): unknown;
  delete(key: Key): unknown;
};

/** The read of a key, which concurrent callers share, so that no signal of one may abort it. A failed one is repeated by the next caller. */
export function sharedRead<Key, Value>(
  reads: Reads<Key, Value>,
  key: Key,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = reads.get(key);
  if (known) return known;
  const reading = read();
  reads.set(key, reading);
  // The caller gets the error.
  reading.catch(() => reads.delete(key));
  return reading;
}

/** A read that callers share: see `sharedRead`. After `forget` the next caller reads again. */
export function keptRead<Value>(read: () => Promise<Value>): { (): Promise<Value>; forget(): void } {
  const reads = new Map<"it", Promise<Value>>();
  return Object.assign(() => sharedRead(reads, "it", read), { forget: () => reads.clear() });
}
