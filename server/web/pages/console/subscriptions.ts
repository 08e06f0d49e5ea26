import type { TypedCall } from "../request.js";

/** A notification; the page keeps only the beginning of its text. */
export type StreamedEvent = {
  readonly at: Date;
  readonly subscription: string;
  readonly type: string;
  readonly finality: string | undefined;
  readonly text: string;
};

/** A new event, or `undefined` if the list of open subscriptions changed. */
type Change = { readonly event: StreamedEvent } | undefined;

export const maxEvents = 100;
const maxTextLength = 20_000;

/** Whether a call needs a connection. */
export function needsSocket({ method }: Pick<TypedCall, "method">): boolean {
  return /^(ton_)?(un)?subscribe$|^subscription\./.test(method);
}

type Placed = { finality?: string; event: { type: string } };
type Message =
  | { method: "subscription"; params: { subscription: string } & Placed }
  | { method: "ton_subscription"; params: { subscription: string; result: Placed } }
  | { method?: undefined };

/** Content of a notification, in either form. */
function placedIn(message: Message): ({ subscription: string } & Placed) | undefined {
  if (message.method === "subscription") return message.params;
  if (message.method !== "ton_subscription") return undefined;
  const { subscription, result } = message.params;
  return { subscription, ...result };
}

/** The subscriptions on the page's connection, and their newest events. */
export class Subscriptions {
  /** Newest first. */
  readonly events: StreamedEvent[] = [];
  /** The watched subject, by subscription id. */
  readonly open = new Map<string, string>();
  /** Number of all received events. */
  count = 0;
  readonly #onChange: (change: Change) => void;

  constructor(onChange: (change: Change) => void) {
    this.#onChange = onChange;
  }

  /** Handles a message of the service if it is a notification. */
  take(text: string): boolean {
    const placed = placedIn(JSON.parse(text) ?? {});
    if (!placed) return false;
    const { subscription, finality, event } = placed;
    // A heartbeat carries no news.
    if (event.type === "heartbeat") return true;
    const kept = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
    const noted = { at: new Date(), subscription, type: event.type, finality, text: kept };
    this.events.unshift(noted);
    this.events.splice(maxEvents);
    this.count++;
    this.#onChange({ event: noted });
    if (event.type === "end") this.#close(subscription);
    return true;
  }

  /** Updates the subscriptions from answers to calls. */
  answered(calls: readonly TypedCall[], text: string): void {
    const answers = [JSON.parse(text)].flat() as { result?: unknown }[];
    for (const [at, { method, params }] of calls.entries()) {
      const result = answers[at]?.result;
      if (/^(ton_)?subscribe$/.test(method) && result) {
        const id = typeof result === "string" ? result : (result as { subscription: string }).subscription;
        this.open.set(id, JSON.parse(params.get("kind") ?? '""'));
        this.#onChange(undefined);
      } else if (/^(ton_)?unsubscribe$/.test(method) && result === true)
        this.#close(JSON.parse(params.get("subscription") ?? '""'));
    }
  }

  /** The connection was lost, and all its subscriptions with it. */
  lost(): void {
    if (this.open.size === 0) return;
    this.open.clear();
    this.#onChange(undefined);
  }

  clear(): void {
    this.events.length = this.count = 0;
    this.#onChange(undefined);
  }

  #close(subscription: string): void {
    if (this.open.delete(subscription)) this.#onChange(undefined);
  }
}
