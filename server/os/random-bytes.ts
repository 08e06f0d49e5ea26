import { randomFillSync } from "node:crypto";

const drawnAtOnce = 8192;

/** A source of random bytes for nonces and the like. They are drawn in advance: a call takes 2 us, for however few. */
export function randomSource(): (count: number) => Uint8Array {
  const drawn = new Uint8Array(drawnAtOnce);
  /** Bytes before it were given out. */
  let next = drawn.length;
  return (count) => {
    if (count > drawn.length) return randomFillSync(new Uint8Array(count));
    if (next + count > drawn.length) {
      randomFillSync(drawn);
      next = 0;
    }
    next += count;
    return drawn.slice(next - count, next);
  };
}
