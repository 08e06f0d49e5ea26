import { itemAt } from "../../../shared/values/lookups.js";
import type { FeedForm } from "../../stream/feed.js";
import { type Envelope, envelopeMembers, eventMembers } from "../../stream/subscriptions/sent-event.js";

/** The method of the notifications that a subscription sends. */
export type NotificationName = "subscription" | "ton_subscription";

/** Notifications of JSON-RPC. Those named `ton_subscription` have the event and its place in `result`. */
export class NotificationForm implements FeedForm {
  readonly name: string;
  readonly #hasResult: boolean;
  readonly #head: string;

  constructor(subscription: string, method: NotificationName) {
    this.name = `${method} ${subscription}`;
    this.#hasResult = method === "ton_subscription";
    this.#head = `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":"${subscription}"`;
  }

  write(json: string, envelope: Envelope): string {
    const members = eventMembers(json, envelope);
    return this.#hasResult ? `${this.#head},"result":{${members.slice(1)}}}}` : `${this.#head}${members}}}`;
  }
}

/** Frames of server-sent events. Events that may not be final have their finality in the data. */
export class EventSourceForm implements FeedForm {
  readonly name: string;
  readonly #hasFinality: boolean;

  constructor(hasFinality: boolean) {
    this.name = hasFinality ? "frames with finality" : "frames";
    this.#hasFinality = hasFinality;
  }

  write(json: string, envelope: Envelope): string {
    const id = envelope.cursor === undefined ? "" : `id: ${envelope.cursor}\n`;
    const data = this.#hasFinality ? `${json.slice(0, -1)}${envelopeMembers(envelope)}}` : json;
    return `${id}event: ${typeOf(json)}\ndata: ${data}\n\n`;
  }
}

/** Events begin with their type. */
function typeOf(json: string): string {
  return itemAt(/^\{"type":"([a-z-]+)"/.exec(json)!, 1);
}
