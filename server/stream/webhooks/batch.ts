import type { FeedChannel, FeedForm } from "../feed.js";
import { type Envelope, eventMembers } from "../subscriptions/sent-event.js";

const maxEvents = 100;
const maxBytes = 128 * 1024;

/** Each event with its envelope. */
export const webhookForm: FeedForm = {
  name: "webhook",
  write: (json: string, envelope: Envelope) => `{${eventMembers(json, envelope).slice(1)}}`,
};

/** Events of a webhook waiting for the next delivery. */
export class Batch implements FeedChannel {
  readonly isSlowed = false;
  readonly #onEvent: () => void;
  #frames: Buffer[] = [];
  #bytes = 0;

  constructor(onEvent: () => void) {
    this.#onEvent = onEvent;
  }

  get isFull(): boolean {
    return this.#frames.length >= maxEvents || this.#bytes >= maxBytes;
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  write(frame: Buffer): void {
    this.#frames.push(frame);
    this.#bytes += frame.length;
    this.#onEvent();
  }

  /** The JSON of all waiting events, and their number. */
  take(): { json: string; count: number } {
    const json = this.#frames.map(String).join(",");
    const count = this.#frames.length;
    this.#frames = [];
    this.#bytes = 0;
    return { json, count };
  }
}
