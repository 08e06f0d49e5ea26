import { expect } from "vitest";
import type { MessageStatus, SubscribeParams } from "../../client/api.js";
import { isFinalStatus } from "../../shared/values/final-status.js";
import { until } from "../helpers/until.js";
import { type EndingSubscriber, eventSource, socketSubscriber, watcher } from "./stream-subscribers.js";

type Followed = {
  readonly hash: string;
  readonly subscribers: readonly EndingSubscriber[];
  /** Reverts before it was sent. */
  readonly since: number;
};

/** Messages whose statuses are followed by each transport, over everything that happens to the connections. */
export class FollowedMessages {
  readonly #urls: readonly string[];
  readonly #either: () => string;
  readonly #all: Followed[] = [];
  /** The masterchain blocks that the chain was reverted to. */
  readonly #bases: number[] = [];

  constructor(urls: readonly string[], either: () => string) {
    this.#urls = urls;
    this.#either = either;
  }

  /** `undefined`: a message that was refused. */
  follow(hash: string | undefined): void {
    if (hash === undefined) return;
    const params: SubscribeParams = { kind: "message", message: hash };
    const subscribers = [
      socketSubscriber(this.#either, params),
      socketSubscriber(this.#either, { ...params, window: 1 }),
      eventSource(this.#either, params),
      watcher(this.#urls, params),
    ];
    this.#all.push({ hash, subscribers, since: this.#bases.length });
  }

  /** The chain was reverted. */
  reverted(base: number): void {
    this.#bases.push(base);
  }

  /** Each subscription ends with the final status, which came once, as `ask` has it. Returns what was compared. */
  async check(ask: (hash: string) => Promise<MessageStatus>): Promise<object> {
    const counts: Record<string, number> = { messages: this.#all.length, events: 0 };
    for (const { hash, subscribers, since } of this.#all) {
      for (const { name, ledger, hasEnded } of subscribers) {
        await until(() => `${name} to end, which has ${JSON.stringify(ledger.kept.at(-1)?.event)}`, hasEnded);
        const statuses = ledger.kept.map(({ event }) => (event as { message: MessageStatus }).message);
        const finals = statuses.filter(({ status }) => isFinalStatus(status));
        expect([name, finals]).toEqual([name, [statuses.at(-1)]]);
        const repeated = statuses.filter(
          (each, at) => JSON.stringify(each) === JSON.stringify(statuses[at - 1]),
        );
        expect([name, repeated]).toEqual([name, []]);
        counts["events"]! += ledger.received;
        const { status } = finals[0]!;
        counts[status] = (counts[status] ?? 0) + 1;
        if (!this.#isStill(finals[0]!, since)) continue;
        expect([name, finals[0]]).toEqual([name, asFinal(await ask(hash))]);
        counts["compared"] = (counts["compared"] ?? 0) + 1;
      }
    }
    expect(counts["compared"]).toBeGreaterThan(0);
    return counts;
  }

  /** Whether no revert since then changes a final status. */
  #isStill(status: MessageStatus, since: number): boolean {
    const bases = this.#bases.slice(since);
    if (status.status !== "completed") return bases.length === 0;
    return bases.every((base) => status.mc_block_seqno! <= base);
  }
}

/** The status as it may have become final: the wallet of an expired message takes later ones, which raise its seqno. */
function asFinal(status: MessageStatus): unknown {
  if (status.status !== "expired" || !status.wallet) return status;
  return { ...status, wallet: { ...status.wallet, next_seqno: expect.any(Number) } };
}
