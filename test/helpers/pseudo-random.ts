/** A deterministic pseudo-random number generator: numbers from 0 up to 1. */
export function* pseudoRandom(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}
