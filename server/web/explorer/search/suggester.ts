import type { Timers } from "../../../../shared/values/timers.js";

type SuggesterDeps<Found> = {
  ask(text: string): Promise<Found>;
  /** Shows what was found for the text that is typed; `undefined` while nothing is known of it. */
  show(found: Found | undefined): void;
  /** Whether the service refused to answer because it was asked too often. */
  isRefusal(error: unknown): boolean;
  timers: Timers;
};

const quietMs = 250;
const leastLength = 2;

/**
 * Asks for suggestions while the user types: after a pause, one request at a time, and no more after a refusal, until the user
 * asks for something. Errors are not shown: nothing was asked for.
 */
export class Suggester<Found> {
  readonly #deps: SuggesterDeps<Found>;
  #text = "";
  #isAsking = false;
  #isRefused = false;
  #stopTimer = () => {};

  constructor(deps: SuggesterDeps<Found>) {
    this.#deps = deps;
  }

  /** The user has typed a text. */
  type(text: string): void {
    this.#stopTimer();
    this.#text = text;
    this.#deps.show(undefined);
    if (text.length < leastLength || this.#isRefused) return;
    this.#stopTimer = this.#deps.timers.after(quietMs, () => void this.#ask());
  }

  /** The user asks for what is typed, or leaves: it needs no suggestions. */
  end(): void {
    this.#isRefused = false;
    this.type("");
  }

  async #ask(): Promise<void> {
    // The end of the request that is under way asks for what was typed since.
    if (this.#isAsking) return;
    const text = this.#text;
    this.#isAsking = true;
    try {
      const found = await this.#deps.ask(text);
      if (text === this.#text) this.#deps.show(found);
    } catch (error) {
      this.#isRefused = this.#deps.isRefusal(error);
    }
    this.#isAsking = false;
    if (text !== this.#text) this.type(this.#text);
  }
}
