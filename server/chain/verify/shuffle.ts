import { createHash } from "node:crypto";

/** What the order of a group depends on. */
export type Session = { shard: bigint; workchain: number; catchainSeqno: number };

/**
 * In what order the first `count` validators make up the masterchain's group: each takes the place of one drawn from
 * those before it, who moves to the end.
 */
export function shuffledIndexes(count: number, session: Session): number[] {
  const random = new SessionRandom(session);
  const indexes: number[] = [];
  for (let i = 0; i < count; i++) {
    const j = random.below(i + 1);
    indexes[i] = indexes[j] ?? i;
    indexes[j] = i;
  }
  return indexes;
}

/** Numbers by SHA-512 of a counter and the session, eight from each hash. */
class SessionRandom {
  /** `seed:int256 (a big-endian counter) shard:uint64 workchain:int32 cc_seqno:uint32`, all big-endian. */
  readonly #input = new DataView(new ArrayBuffer(48));
  #numbers: bigint[] = [];

  constructor({ shard, workchain, catchainSeqno }: Session) {
    this.#input.setBigUint64(32, shard);
    this.#input.setInt32(40, workchain);
    this.#input.setUint32(44, catchainSeqno);
  }

  /** A number from 0 up to but not including the limit. */
  below(limit: number): number {
    return Number((BigInt(limit) * this.#next()) >> 64n);
  }

  #next(): bigint {
    if (this.#numbers.length === 0) this.#refill();
    return this.#numbers.shift()!;
  }

  #refill(): void {
    const digest = createHash("sha512").update(new Uint8Array(this.#input.buffer)).digest();
    this.#numbers = Array.from({ length: 8 }, (_, i) => digest.readBigUInt64BE(i * 8));
    // Nobody draws so often that more than the last 32 bits of the counter change.
    this.#input.setUint32(28, this.#input.getUint32(28) + 1);
  }
}
