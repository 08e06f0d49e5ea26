import type { UnitName } from "../../store/queries/blocks/units.js";
import { cursorOf, type EventKey, endOf } from "./event-key.js";
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

/** Fields that accompany an event. */
export type Envelope = {
  readonly cursor: string | undefined;
  readonly finality?: string | undefined;
  readonly id?: string | undefined;
  readonly replaces?: string | undefined;
};

/** All fields except the cursor, as JSON that continues an object. */
export function envelopeMembers({ finality, id, replaces }: Envelope): string {
  let text = "";
  if (finality !== undefined) text += `,"finality":"${finality}"`;
  if (id !== undefined) text += `,"id":${JSON.stringify(id)}`;
  if (replaces !== undefined) text += `,"replaces":${JSON.stringify(replaces)}`;
  return text;
}

/** An event with its envelope, as JSON that continues an object. */
export function eventMembers(json: string, envelope: Envelope): string {
  const cursor = envelope.cursor === undefined ? "" : `,"cursor":"${envelope.cursor}"`;
  return `${cursor}${envelopeMembers(envelope)},"event":${json}`;
}

/** The event that announces the newest block. */
export function heartbeatOf({ seqno, genUtime }: UnitName): object {
  return { type: "heartbeat", head: { seqno, gen_utime: Number(genUtime) } };
}

/** Heartbeat for all subscriptions at the head, made once per newest block. */
export class Heartbeats {
  readonly #chain: string;
  #last: { head: UnitName; sent: SentEvent & { readonly key: EventKey } } | undefined;

  constructor(chain: string) {
    this.#chain = chain;
  }

  at(head: UnitName): SentEvent & { readonly key: EventKey } {
    if (this.#last?.head === head) return this.#last.sent;
    const members = { json: JSON.stringify(heartbeatOf(head)), key: endOf(head), chain: this.#chain };
    const sent = new SentEvent(members) as SentEvent & { readonly key: EventKey };
    this.#last = { head, sent };
    return sent;
  }
}
