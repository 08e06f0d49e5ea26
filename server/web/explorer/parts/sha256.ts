// `crypto.subtle` exists only in secure contexts, and a service in a local network is often used over plain HTTP.

const primes = firstPrimes(64);
const roundConstants = Uint32Array.from(primes, (prime) => fractionOf(Math.cbrt(prime)));
const initial = primes.slice(0, 8).map((prime) => fractionOf(Math.sqrt(prime)));

/** SHA-256. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  // The length is below 2^32 bits.
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) mix(state, words, view, at);
  const result = new Uint8Array(32);
  const out = new DataView(result.buffer);
  for (const [index, word] of state.entries()) out.setUint32(4 * index, word);
  return result;
}

function mix(state: Uint32Array, words: Uint32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15]!, words[i - 2]!];
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const t1 =
      h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + roundConstants[i]! + words[i]!;
    const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index]! += value;
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The first 32 bits of the fractional part. */
function fractionOf(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}

function firstPrimes(many: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < many; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
