// Bit strings inside byte arrays, most significant bit first. Positions are absolute: byte index * 8 + bit.

/**
 * Every array passed to these functions must have this many spare bytes after its last used bit, because they read and
 * write four bytes at a time.
 */
export const slack = 3;

/** Reads up to 24 bits as an unsigned number. */
export function readBits(bytes: Uint8Array, at: number, count: number): number {
  if (count === 0) return 0;
  const i = at >>> 3;
  const word = (bytes[i]! << 24) | (bytes[i + 1]! << 16) | (bytes[i + 2]! << 8) | bytes[i + 3]!;
  return (word << (at & 7)) >>> (32 - count);
}

/** Writes up to 24 bits. The target bits must be zero. */
export function writeBits(bytes: Uint8Array, at: number, value: number, count: number): void {
  const i = at >>> 3;
  const word = value << (32 - (at & 7) - count);
  bytes[i]! |= word >>> 24;
  bytes[i + 1]! |= word >>> 16;
  bytes[i + 2]! |= word >>> 8;
  bytes[i + 3]! |= word;
}

/** Copies bits. The target bits must be zero. */
export function copyBits(
  source: Uint8Array,
  sourceAt: number,
  target: Uint8Array,
  targetAt: number,
  count: number,
): void {
  let done = 0;
  if (((sourceAt | targetAt) & 7) === 0) {
    const whole = count >>> 3;
    const from = sourceAt >>> 3;
    const to = targetAt >>> 3;
    for (let i = 0; i < whole; i++) target[to + i] = source[from + i]!;
    done = whole * 8;
  }
  while (done < count) {
    const step = Math.min(24, count - done);
    writeBits(target, targetAt + done, readBits(source, sourceAt + done, step), step);
    done += step;
  }
}

/** Length of the common prefix of two strings of `count` bits. */
export function commonBits(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, count: number): number {
  for (let done = 0; done < count; done += 24) {
    const step = Math.min(24, count - done);
    const difference = readBits(a, aAt + done, step) ^ readBits(b, bAt + done, step);
    if (difference !== 0) return done + Math.clz32(difference) - (32 - step);
  }
  return count;
}

export function bitAt(bytes: Uint8Array, at: number): boolean {
  return (bytes[at >>> 3]! & (0x80 >>> (at & 7))) !== 0;
}
