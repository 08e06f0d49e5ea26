import { memberOf } from "../../../shared/values/lookups.js";
import { type BookSettings, type Extras, withExtras } from "../../present/v3/answer-extras.js";
import { objectText } from "../../present/v3/answer-text.js";
import type { Queries } from "../../store/database.js";
import type { Delivery } from "./events.js";

/**
 * Address books and metadata of a batch of events, read once; each text contains only the entries of its own addresses.
 */
export class EventExtras {
  readonly #settings: BookSettings;
  readonly #asked = new Set<string>();
  #known: Extras = { address_book: {}, metadata: {} };

  constructor(settings: BookSettings) {
    this.#settings = settings;
  }

  /** Reads the entries that deliveries need. Returns whether some were missing. */
  async load(queries: Queries, deliveries: readonly Delivery[]): Promise<boolean> {
    const missing = new Set<string>();
    for (const { addresses, receivers } of deliveries) {
      if (!receivers.some(({ filter }) => filter.withAddressBook || filter.withMetadata)) continue;
      for (const address of addresses ?? [])
        if (address !== "" && !this.#asked.has(address)) missing.add(address);
    }
    if (missing.size === 0) return false;
    const source = { queries, call: { options: {} }, book: this.#settings, isLast: false };
    const read = await withExtras({}, missing, source);
    for (const address of missing) this.#asked.add(address);
    this.#known = {
      address_book: { ...this.#known.address_book, ...read.address_book },
      metadata: { ...this.#known.metadata, ...read.metadata },
    };
    return true;
  }

  /** The text of a delivery with the extras requested by some receivers. */
  text({ members, addresses }: Delivery, asked: { addressBook: boolean; metadata: boolean }): string {
    if (!addresses) return objectText(members).text;
    const own = asked.addressBook || asked.metadata ? [...new Set(addresses)].sort() : [];
    return objectText({
      ...members,
      ...(asked.addressBook && { address_book: pick(this.#known.address_book, own) }),
      ...(asked.metadata && { metadata: this.#metadataOf(own) }),
    }).text;
  }

  /** Includes the jettons of jetton wallets besides the tokens themselves. */
  #metadataOf(addresses: readonly string[]): Extras["metadata"] {
    const { metadata } = this.#known;
    const jettons = addresses.flatMap((address) =>
      (metadata[address]?.token_info ?? []).flatMap(({ type, extra }) =>
        type === "jetton_wallets" && typeof extra?.["jetton"] === "string" ? [extra["jetton"]] : [],
      ),
    );
    return pick(metadata, [...new Set([...addresses, ...jettons])].sort());
  }
}

function pick<Value>(
  known: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(names.flatMap((name) => (name in known ? [[name, memberOf(known, name)]] : [])));
}
