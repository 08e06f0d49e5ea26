import { settled, withResolvers } from "../../../shared/values/promises.js";

/** When statements are sent: each settles as its answer. */
export type SendOrder = <T>(statement: () => Promise<T>) => Promise<T>;

/** On a connection that accepts a statement before it has answered the last one: at once. */
export const pipelined: SendOrder = (statement) => statement();

/** Else: after the answer to the one before. */
export function oneByOne(): SendOrder {
  let answered: Promise<unknown> = Promise.resolve();
  return (statement) => {
    const answer = answered.then(statement);
    // Callers of the statement get its error.
    answered = settled(answer);
    return answer;
  };
}

/** The answers that a connection owes, with one time limit, which begins again with each statement. */
export class AwaitedAnswers {
  readonly #rejects = new Set<(reason: Error) => void>();
  readonly #limit: { ms: number | undefined; onLate: () => void };
  #timer: NodeJS.Timeout | undefined;

  constructor(limit: { ms: number | undefined; onLate: () => void }) {
    this.#limit = limit;
  }

  /** Settles as the answer, unless it is abandoned before. */
  async of<T>(answer: Promise<T>): Promise<T> {
    const { promise: abandoned, reject } = withResolvers<never>();
    this.#rejects.add(reject);
    this.#startTimer();
    try {
      return await Promise.race([answer, abandoned]);
    } finally {
      this.#rejects.delete(reject);
    }
  }

  abandon(reason: Error): void {
    for (const reject of this.#rejects) reject(reason);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #startTimer(): void {
    const { ms, onLate } = this.#limit;
    if (ms === undefined) return;
    this.#timer ??= setTimeout(() => this.#rejects.size > 0 && onLate(), ms);
    this.#timer.refresh();
  }
}
