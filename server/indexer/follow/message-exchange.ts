import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { base64ToBytes, bytesToBase64 } from "../../../shared/values/bytes.js";
import type { SentMessages } from "../../chain/sent-messages.js";
import type { Fallback } from "../../observe/fallback.js";
import { pause } from "../../os/pause.js";
import type { Bus } from "./bus.js";

const channel = "tonwire_sent";
/** PostgreSQL limits payloads to less than 8000 characters. A multiple of 3, so that base64 can be concatenated. */
const pieceBytes = 5700;
/** More than any network's longest message needs. */
const maxPieces = 16;
const retryMs = 500;

type Parts = {
  bus: Pick<Bus, "publish" | "subscribe">;
  sent: Pick<SentMessages, "onRemembered" | "receive">;
  fallback: Fallback;
};

/**
 * Shares accepted external messages among the processes of an index. What a bus carries is not stored: a process that is
 * not listening misses them, which only affects its pending messages.
 */
export class MessageExchange {
  readonly #parts: Parts;
  /** Identifies own notifications, which are ignored. */
  readonly #name = randomUUID();
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #received: { from: string; pieces: string[] } = { from: "", pieces: [] };

  private constructor(parts: Parts) {
    this.#parts = parts;
    const unsubscribe = parts.sent.onRemembered((message) => this.#notify(message));
    this.#ended = this.#run().finally(unsubscribe);
  }

  /** Starts listening in the background. */
  static start(parts: Parts): MessageExchange {
    return new MessageExchange(parts);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await this.#listen().catch((error) => this.#failed(error));
      await pause(retryMs, signal);
    }
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ending;
    this.#received = { from: "", pieces: [] };
    const listening = await this.#parts.bus.subscribe(channel, (text) => this.#receive(text), signal);
    const over = AbortSignal.any([signal, listening.lost]);
    if (!over.aborted) await once(over, "abort");
    await listening.release();
  }

  /** Best effort: the chain has accepted the message in any case. */
  #notify(message: Uint8Array): void {
    const count = Math.ceil(message.length / pieceBytes);
    if (count > maxPieces) return;
    const pieces = Array.from({ length: count }, (_, at) => {
      const piece = message.subarray(at * pieceBytes, (at + 1) * pieceBytes);
      return `${this.#name} ${count - 1 - at} ${bytesToBase64(piece)}`;
    });
    this.#parts.bus.publish(channel, pieces).catch((error) => this.#failed(error));
  }

  #failed(error: unknown): void {
    if (!this.#ending.signal.aborted) this.#parts.fallback("message-exchange", error);
  }

  /** The pieces of a message arrive in order, because a bus keeps the order of one call. */
  #receive(text: string): void {
    const [from = "", left, piece = ""] = text.split(" ");
    if (from === this.#name) return;
    if (from !== this.#received.from) this.#received = { from, pieces: [] };
    const { pieces } = this.#received;
    pieces.push(piece);
    if (left !== "0" && pieces.length < maxPieces) return;
    this.#received = { from: "", pieces: [] };
    const message = base64ToBytes(pieces.join(""));
    if (left === "0" && message) this.#parts.sent.receive(message);
  }
}
