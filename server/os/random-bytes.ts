import { randomFillSync } from "node:crypto";

const pool = new Uint8Array(8192);
/** Those before are given out. */
let next = pool.length;

/** Random bytes for nonces and the like. They are drawn in advance: a call takes 2 us, for however few. */
export function randomBytes(count: number): Uint8Array {
  if (count > pool.length) return randomFillSync(new Uint8Array(count));
  if (next + count > pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  next += count;
  return pool.slice(next - count, next);
}
