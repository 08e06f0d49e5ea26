import { randomUUID } from "node:crypto";
import { FirstSignal } from "../../os/first-signal.js";
import { pause } from "../../os/pause.js";

type CheckOptions = {
  /** Sends a text to the channel that this process listens to. */
  send: (text: string) => Promise<void>;
  /** Called when it fails for the first time, and when it succeeds again. */
  onChange: () => void;
  /** Interval of the checks, and how long a notification may take, ms. */
  everyMs?: number | undefined;
  maxMs?: number | undefined;
};

const usualMs = 30_000;
const usualMaxMs = 2000;
/** Interval while it fails. */
const failedMs = 2000;
const mark = "check ";

/**
 * Notifies its own process time and again. A pooler in transaction mode, which somebody may put before a running
 * database, loses notifications without an error.
 */
export class NotificationCheck {
  readonly #options: CheckOptions;
  #awaited: { readonly text: string; readonly arrived: AbortController } | undefined;
  #isFailing = false;
  #lost = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  /** Whether the last notification did not arrive in time, and has not arrived since. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Notifications so far that did not arrive in time. */
  get lost(): number {
    return this.#lost;
  }

  /** Whether a text is of a check, of this process or of another one. */
  heard(text: string): boolean {
    if (text === this.#awaited?.text) {
      this.#awaited.arrived.abort();
      // A late one, as on a machine that stood still, shows that nothing loses them.
      this.#become(false);
    }
    return text.startsWith(mark);
  }

  /** Checks until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { everyMs = usualMs } = this.#options;
    for (;;) {
      await pause(this.#isFailing ? Math.min(everyMs, failedMs) : everyMs, signal);
      if (signal.aborted) return;
      const isFailing = !(await this.#arrives(signal));
      if (signal.aborted) return;
      if (isFailing) this.#lost++;
      this.#become(isFailing);
    }
  }

  #become(isFailing: boolean): void {
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    this.#options.onChange();
  }

  async #arrives(signal: AbortSignal): Promise<boolean> {
    const { send, maxMs = usualMaxMs } = this.#options;
    const arrived = new AbortController();
    const text = `${mark}${randomUUID()}`;
    this.#awaited = { text, arrived };
    // One that cannot be sent does not arrive.
    await send(text).catch(() => {});
    const first = new FirstSignal(signal, arrived.signal);
    await pause(maxMs, first.signal);
    first.clear();
    return arrived.signal.aborted;
  }
}
