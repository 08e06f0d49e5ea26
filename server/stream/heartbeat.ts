import type { UnitName } from "../store/queries/blocks/units.js";
import { type EventKey, endOf } from "./event-key.js";
import { SentEvent } from "./sent-event.js";

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
