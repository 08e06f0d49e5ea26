/** Wakes one loop. A ring while the loop is busy is not lost. */
export class Doorbell {
  #hasRung = false;
  #answer: (() => void) | undefined;

  /** Ends the wait of `heard`, or of the next one. */
  ring(): void {
    this.#hasRung = true;
    this.#answer?.();
  }

  /** Resolves at the next ring, after `maxMs`, or when `signal` fires. */
  async heard(signal: AbortSignal, maxMs: number): Promise<void> {
    if (!this.#hasRung && !signal.aborted)
      await new Promise<void>((resolve) => {
        const answer = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", answer);
          resolve();
        };
        const timer = setTimeout(answer, maxMs);
        signal.addEventListener("abort", answer);
        this.#answer = answer;
      });
    this.#answer = undefined;
    this.#hasRung = false;
  }
}
