import type { BookSettings } from "../../present/v3/answer-extras.js";
import type { Queries } from "../../store/database.js";
import type { UnitName } from "../../store/queries/blocks/units.js";
import { type EventKey, unitMark } from "../subscriptions/event-key.js";
import type { Interests } from "../subscriptions/interests.js";
import { SentEvent } from "../subscriptions/sent-event.js";
import type { Subscription } from "../subscriptions/subscription.js";
import { EventExtras } from "./event-extras.js";
import type { Delivery, StreamEvent } from "./events.js";

/** Receives the text of an event and the subscriptions it is for. */
type Give = (event: StreamEvent, receivers: readonly Subscription[], json: string) => void;

/** An event with its position in the chain. */
export type FinalSentEvent = SentEvent & { readonly key: EventKey };

/** Serializes events for their subscriptions; calls `give` for all of them synchronously. */
export async function withTexts(
  queries: Queries,
  events: readonly StreamEvent[],
  { interests, book }: { interests: Interests; book: BookSettings },
  give: Give,
): Promise<void> {
  if (events.length === 0) return;
  const extras = new EventExtras(book);
  const deliver = () => events.map((event) => ({ event, deliveries: event.deliveries(interests) }));
  let all = deliver();
  // Filters may change during the read.
  while (
    await extras.load(
      queries,
      all.flatMap(({ deliveries }) => deliveries),
    )
  )
    all = deliver();
  for (const { event, deliveries } of all)
    for (const delivery of deliveries)
      for (const { receivers, addressBook, metadata } of byExtras(delivery))
        give(event, receivers, extras.text(delivery, { addressBook, metadata }));
}

/** A final event, for all its receivers. */
export function finalSent(unit: UnitName, event: StreamEvent, json: string, chain: string): FinalSentEvent {
  const { id, finality } = event;
  const key = { ...event.key!, unit: unitMark(unit) };
  return new SentEvent({ json, key, chain, ...(id !== undefined && { id, finality }) }) as FinalSentEvent;
}

type Asked = { receivers: Subscription[]; addressBook: boolean; metadata: boolean };

/** Groups receivers by the extras they request. */
function byExtras({ receivers }: Delivery): Asked[] {
  const groups = new Map<string, Asked>();
  for (const receiver of receivers) {
    const { withAddressBook: addressBook, withMetadata: metadata } = receiver.filter;
    const key = `${addressBook} ${metadata}`;
    const group = groups.get(key);
    if (group) group.receivers.push(receiver);
    else groups.set(key, { receivers: [receiver], addressBook, metadata });
  }
  return [...groups.values()];
}
