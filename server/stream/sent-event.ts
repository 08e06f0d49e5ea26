import { cursorOf, type EventKey } from "./event-key.js";
import type { Finality } from "./filter.js";

type SentMembers = {
  /** The event. */
  readonly json: string;
  readonly key?: EventKey | undefined;
  /** Absent in events of TON Center's protocol, whose JSON includes it. */
  readonly finality?: Finality | undefined;
  readonly id?: string | undefined;
  /** The id under which the event was sent before. */
  readonly replaces?: string | undefined;
  readonly chain?: string | undefined;
};

/** An event as it is sent, to all receivers of the same text. */
export class SentEvent {
  readonly json: string;
  /** Sort key among finalized events; `undefined` for pending ones. */
  readonly key: EventKey | undefined;
  readonly finality: Finality | undefined;
  readonly id: string | undefined;
  readonly replaces: string | undefined;
  readonly #chain: string | undefined;
  #cursor: string | undefined;
  readonly #frames = new Map<string, Buffer>();

  constructor({ json, key, finality, id, replaces, chain }: SentMembers) {
    this.json = json;
    this.key = key;
    this.finality = finality;
    this.id = id;
    this.replaces = replaces;
    this.#chain = chain;
  }

  /** The key encoded for clients. */
  get cursor(): string | undefined {
    if (this.key && this.#chain !== undefined) this.#cursor ??= cursorOf(this.key, this.#chain);
    return this.#cursor;
  }

  /** The same event for clients that received it under another id. */
  replacing(replaces: string): SentEvent {
    const { json, key, finality, id } = this;
    return new SentEvent({ json, key, finality, id, replaces, chain: this.#chain });
  }

  /** The event in an envelope, encoded once for all receivers of that envelope. */
  frame(envelope: string, write: () => string): Buffer {
    const known = this.#frames.get(envelope);
    if (known) return known;
    const made = Buffer.from(write());
    if (this.#frames.size < maxFrames) this.#frames.set(envelope, made);
    return made;
  }
}

/** Number of envelopes (they differ by subscription id, for example) whose frames are kept while an event is sent. */
const maxFrames = 100;
