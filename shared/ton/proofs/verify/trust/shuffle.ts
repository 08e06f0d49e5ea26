import { sha512 } from "@noble/hashes/sha2.js";
import { takeFirst } from "../../../../values/lookups.js";

/** Seed of the shuffle. */
type Session = { shard: bigint; workchain: number; catchainSeqno: number };

/**
 * Order of the first `count` validators in the masterchain's group, shuffled as in the node: each takes the position of a
 * randomly drawn one before it, which moves to the end.
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

/** Random numbers from SHA-512 of a counter and the session, eight per hash. */
class SessionRandom {
  /** `seed:int256 (a big-endian counter) shard:uint64 workchain:int32 cc_seqno:uint32`, all big-endian. */
  readonly #input = new DataView(new ArrayBuffer(48));
  #numbers: bigint[] = [];

  constructor({ shard, workchain, catchainSeqno }: Session) {
    this.#input.setBigUint64(32, shard);
    this.#input.setInt32(40, workchain);
    this.#input.setUint32(44, catchainSeqno);
  }

  /** A random number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Number((BigInt(limit) * this.#next()) >> 64n);
  }

  #next(): bigint {
    if (this.#numbers.length === 0) this.#refill();
    return takeFirst(this.#numbers);
  }

  #refill(): void {
    const digest = new DataView(sha512(new Uint8Array(this.#input.buffer)).buffer);
    this.#numbers = Array.from({ length: 8 }, (_, i) => digest.getBigUint64(i * 8));
    // The counter never exceeds 32 bits in practice.
    this.#input.setUint32(28, this.#input.getUint32(28) + 1);
  }
}
