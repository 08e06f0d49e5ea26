import type { SentEvent } from "../../server/stream/subscriptions/sent-event.js";
import type { Notice, Sink } from "../../server/stream/subscriptions/subscription.js";

/** A client whose events nobody looks at. */
export const nobody: Sink = { isFull: false, send() {}, tell() {} };

/** A client that keeps what it is sent, and is full with each `after` events. */
export class MemoryClient implements Sink {
  after = Number.POSITIVE_INFINITY;
  isFull = false;
  readonly sent: SentEvent[] = [];
  readonly notices: Notice[] = [];
  onSent: () => void = () => {};

  send(sent: SentEvent): void {
    this.sent.push(sent);
    if (this.sent.length % this.after === 0) this.isFull = true;
    this.onSent();
  }

  tell(notice: Notice): void {
    this.notices.push(notice);
  }

  get seqnos(): (number | undefined)[] {
    return this.sent.map(({ key }) => key?.seqno);
  }

  get records(): { type: string; [member: string]: unknown }[] {
    return this.sent.map(({ json }) => JSON.parse(json));
  }
}

/** Members of a delivery as they are sent: parts that are written already are JSON of their own. */
export function asSent(members: object) {
  return JSON.parse(
    JSON.stringify(members, (_, value) =>
      value?.json === undefined ? value : JSON.parse(String(value.json)),
    ),
  );
}
