import type { BookSettings } from "../methods/v3/answer-extras.js";
import type { Queries } from "../store/database.js";
import type { UnitName } from "../store/queries/units.js";
import { Books } from "./books.js";
import { type EventKey, unitMark } from "./event-key.js";
import type { Delivery, StreamEvent } from "./events.js";
import type { Interests } from "./interests.js";
import { Sent } from "./sent.js";
import type { Subscription } from "./subscription.js";

/** Receives an event as text, and the subscriptions that it is for. */
export type Give = (event: StreamEvent, receivers: readonly Subscription[], json: string) => void;

/** An event with its place in the chain. */
export type FinalSent = Sent & { readonly key: EventKey };

/** Makes the texts of what subscriptions receive; `give` is called for all of them without interruption. */
export async function withTexts(
  queries: Queries,
  events: readonly StreamEvent[],
  { interests, book }: { interests: Interests; book: BookSettings },
  give: Give,
): Promise<void> {
  if (events.length === 0) return;
  const books = new Books(book);
  const deliver = () => events.map((event) => ({ event, deliveries: event.deliveries(interests) }));
  let all = deliver();
  // Filters may change while books are read.
  while (
    await books.load(
      queries,
      all.flatMap(({ deliveries }) => deliveries),
    )
  )
    all = deliver();
  for (const { event, deliveries } of all)
    for (const delivery of deliveries)
      for (const { receivers, addressBook, metadata } of byBooks(delivery))
        give(event, receivers, books.text(delivery, { addressBook, metadata }));
}

/** A final event, for all its receivers. */
export function finalSent(unit: UnitName, event: StreamEvent, json: string, chain: string): FinalSent {
  const { id, finality } = event;
  const key = { ...event.key!, unit: unitMark(unit) };
  return new Sent({ json, key, chain, ...(id !== undefined && { id, finality }) }) as FinalSent;
}

type Asked = { receivers: Subscription[]; addressBook: boolean; metadata: boolean };

/** Receivers by the books that they ask for. */
function byBooks({ receivers }: Delivery): Asked[] {
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
