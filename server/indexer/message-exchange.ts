import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import type { SentMessages } from "../chain/sent-messages.js";
import type { Database, Sql } from "../store/database.js";
import { notifyEach } from "../store/queries/notifications.js";

const channel = "tonwire_sent";
/** PostgreSQL passes on texts of less than 8000 characters; a multiple of 3, so that base64 can be cut there. */
const pieceBytes = 5700;
/** More than the longest message that any network takes. */
const maxPieces = 16;
const retryMs = 500;
const statementTimeoutMs = 10_000;

type Parts = { database: Database; sent: Pick<SentMessages, "onRemembered" | "receive"> };

/**
 * Tells the processes of one database which messages the chain has taken, whichever of them it had them from. Who does
 * not listen at the time does not hear of it later: all that depends on it is what is shown as pending.
 */
export class MessageExchange {
  readonly #parts: Parts;
  readonly #database: Sql;
  /** By which it knows what it has said itself. */
  readonly #name = randomUUID();
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #heard: { from: string; pieces: string[] } = { from: "", pieces: [] };

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.#database = parts.database.sql({ connections: 1, statementTimeoutMs });
    const unsubscribe = parts.sent.onRemembered((message) => this.#say(message));
    this.#ended = this.#run().finally(unsubscribe);
  }

  /** Begins at once, in the background. */
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
      // Why the database is away is said by those who read it.
      await this.#listen().catch(() => {});
      await wait(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ending;
    this.#heard = { from: "", pieces: [] };
    const listening = await this.#parts.database.listen(channel, (text) => this.#hear(text), signal);
    const over = AbortSignal.any([signal, listening.lost]);
    if (!over.aborted) await once(over, "abort");
    await listening.release();
  }

  /** Nobody waits for it: the chain has the message, whoever else knows. */
  #say(message: Uint8Array): void {
    const count = Math.ceil(message.length / pieceBytes);
    if (count > maxPieces) return;
    const pieces = Array.from({ length: count }, (_, at) => {
      const piece = message.subarray(at * pieceBytes, (at + 1) * pieceBytes);
      return `${this.#name} ${count - 1 - at} ${bytesToBase64(piece)}`;
    });
    notifyEach(this.#database, channel, pieces).catch(() => {});
  }

  /** The pieces of a message come one behind the other, being those of one transaction. */
  #hear(text: string): void {
    const [from = "", left, piece = ""] = text.split(" ");
    if (from === this.#name) return;
    if (from !== this.#heard.from) this.#heard = { from, pieces: [] };
    const { pieces } = this.#heard;
    pieces.push(piece);
    if (left !== "0" && pieces.length < maxPieces) return;
    this.#heard = { from: "", pieces: [] };
    const message = base64ToBytes(pieces.join(""));
    if (left === "0" && message) this.#parts.sent.receive(message);
  }
}
