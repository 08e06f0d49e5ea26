/** Monotonic time of connections, and what is done in it again and again. */
export interface Clock {
  /** Milliseconds since any moment. */
  now(): number;
  /** Returns what stops it. It does not keep the process alive. */
  every(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  every(ms, work) {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};
