import type { Devnet } from "../devnet.js";
import { failureOf } from "./failure.js";
import { compacted, type FromDevnet, type ToDevnet } from "./protocol.js";

/** Answers the calls that one caller in another thread or process makes of a devnet. */
export class AnsweredCalls {
  readonly #devnet: Devnet;
  readonly #post: (message: FromDevnet) => void;
  readonly #cancels = new Map<number, AbortController>();

  constructor(devnet: Devnet, post: (message: FromDevnet) => void) {
    this.#devnet = devnet;
    this.#post = post;
  }

  take(message: Exclude<ToDevnet, { type: "close" }>): void {
    if (message.type === "cancel") this.#cancels.get(message.id)?.abort();
    else void this.#answer(message);
  }

  /** Cancels the calls in flight: their caller has gone. */
  cancelAll(): void {
    for (const controller of this.#cancels.values()) controller.abort();
  }

  async #answer({ id, target, method, args, cancellable }: ToDevnet & { type: "call" }): Promise<void> {
    const controller = new AbortController();
    if (cancellable) {
      this.#cancels.set(id, controller);
      args.push({ ...(args.pop() as object), signal: controller.signal });
    }
    try {
      // The cast is safe: the caller's types have checked the name and the arguments.
      const methods = this.#devnet[target] as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
      >;
      this.#post({ type: "answer", id, value: compacted(await methods[method]!(...args)) });
    } catch (error) {
      this.#post({ type: "failure", id, failure: failureOf(error) });
    } finally {
      this.#cancels.delete(id);
    }
  }
}
