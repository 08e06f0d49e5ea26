import { addToGroup } from "../../values/groups.js";
import type { Slice } from "../cells/slice.js";
import type { Prefix } from "./model.js";

/** Finds items, such as variants of a union, by the first bits of a cell: there can be thousands of them. */
export class PrefixIndex<Item> {
  readonly #items: readonly Item[];
  /** Places of the items by length and number of their prefixes. */
  readonly #places = new Map<number, Map<bigint, number[]>>();
  readonly #max: number;
  /** The item without a prefix, if it is the only one: of several, none can be chosen. */
  readonly #loose: readonly Item[];

  /** `max`: how many of the fitting items are asked for. */
  constructor(items: readonly Item[], prefixOf: (item: Item) => Prefix | undefined, max: number) {
    this.#items = items;
    this.#max = max;
    for (const [place, item] of items.entries()) {
      const prefix = prefixOf(item);
      if (prefix) this.#add(prefix, place);
    }
    const loose = items.filter((item) => !prefixOf(item));
    this.#loose = loose.length === 1 ? loose : [];
  }

  #add({ num, len }: Prefix, place: number): void {
    const places = this.#places.get(len) ?? new Map<bigint, number[]>();
    this.#places.set(len, places);
    if ((places.get(num)?.length ?? 0) < this.#max) addToGroup(places, num, place);
  }

  /** The first items with exactly this prefix. */
  of({ num, len }: Prefix): Item[] {
    return this.#at(this.#places.get(len)?.get(num) ?? []);
  }

  /** The first items whose prefix the bits have, in their order, and last the one without a prefix. */
  fitting(from: Slice): Item[] {
    const found: number[] = [];
    for (const [len, places] of this.#places)
      if (from.remainingBits >= len) found.push(...(places.get(from.preloadBigUint(len)) ?? []));
    return [...this.#at(found.sort((a, b) => a - b)), ...this.#loose].slice(0, this.#max);
  }

  #at(places: readonly number[]): Item[] {
    return places.map((place) => this.#items[place]!);
  }
}
