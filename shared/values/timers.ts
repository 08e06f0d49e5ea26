// Available in browsers and Node; declared here because shared/ compiles without DOM and Node types.
declare const performance: { now(): number };
declare function setTimeout(callback: () => void, ms: number): object;
declare function clearTimeout(timer: object): void;

/** Clock and timers: `Date.now` and `setTimeout` except in tests. `after` returns a function that stops the timer. */
export type Timers = { now(): number; after(ms: number, callback: () => void): () => void };

/** A timer that fires later than this shows that the whole process stood still. */
const standstillMs = 250;
/** Longest extension of such a timer. */
const graceMs = 3000;

/** After a standstill of the process, timers run on for as long as it lasted, so that queued answers are read first. */
export const systemTimers: Timers = {
  now: Date.now,
  after(ms, callback) {
    const due = performance.now() + ms;
    let timer = setTimeout(() => {
      const lateMs = performance.now() - due;
      if (lateMs < standstillMs) return callback();
      // Answers may wait in the sockets: the event loop reads those after it has run timers.
      timer = setTimeout(callback, Math.min(lateMs, ms, graceMs));
    }, ms);
    return () => clearTimeout(timer);
  },
};
