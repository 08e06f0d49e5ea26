/** Callers waiting until processes have stopped delivering to a webhook. */
export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Call before the webhook is deleted. Resolves after `maxMs` at the latest. */
  wait(id: string, maxMs: number): { done: Promise<void>; cancel(): void } {
    let end = () => {};
    const done = new Promise<void>((resolve) => {
      const timer = setTimeout(() => end(), maxMs);
      end = () => {
        clearTimeout(timer);
        this.#drop(id, end);
        resolve();
      };
      this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(end));
    });
    return { done, cancel: () => end() };
  }

  stopped(id: string): void {
    for (const end of this.#waiting.get(id) ?? []) end();
  }

  #drop(id: string, end: () => void): void {
    const all = this.#waiting.get(id);
    all?.delete(end);
    if (all?.size === 0) this.#waiting.delete(id);
  }
}
