import { type Envelope, envelopeMembers, eventMembers } from "../../stream/envelope.js";
import type { FeedForm } from "../../stream/feed.js";

/** Notifications of JSON-RPC. */
export class NotificationForm implements FeedForm {
  readonly name: string;
  readonly #head: string;

  constructor(subscription: string) {
    this.name = subscription;
    this.#head = `{"jsonrpc":"2.0","method":"subscription","params":{"subscription":"${subscription}"`;
  }

  write(json: string, envelope: Envelope): string {
    return `${this.#head}${eventMembers(json, envelope)}}}`;
  }
}

/** Frames of server-sent events. Those that may not be final have their finality in the data. */
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
  return /^\{"type":"([a-z-]+)"/.exec(json)![1]!;
}
