import { createHash } from "node:crypto";
import type { KeyValue } from "../../../../shared/values/list-cursor.js";
import type { Queries, Statement } from "../../database.js";
import { type KeyType, keyAfter, keyValue, noteLast } from "../../sql/keyset.js";
import { oneRow } from "../../sql/one-row.js";
import type { Direction, Fragment, Page } from "../../sql/where.js";
import { type ContentVersion, readContent } from "./content-version.js";
import type { ReadPage } from "./slot-pages.js";
import { isBefore, type Window } from "./slot-windows.js";
import { type Later, laterThan, type Slot } from "./slots.js";

/** A list in a total order, as SQL statements. */
export type OrderedList<Key extends object> = {
  /** The members of a key that make the order, with the types of their values. */
  readonly order: readonly (readonly [member: keyof Key & string, type: KeyType])[];
  /** Keys of a page of the list, or of its part behind a key; within some slots if they are given. */
  keys(page: Page, after?: Key, slots?: readonly Slot[]): Statement;
  /** Without them the list is read at once. */
  readonly windows?: {
    /** Windows onto the list, or its part behind a key, or in some slots. */
    of(after: Key | undefined, slots?: readonly Slot[]): readonly Window[];
    /** Position of a key on the axis of the windows, and the direction of the list. */
    place(key: Key): bigint;
    readonly sort: Direction;
    /** Whether all rows of a slot come before those of the next one, as in the order of lt. */
    readonly areApart?: boolean;
  };
  /** If the list knows how many rows it has in which slot: those from an offset on, and its rows before them. */
  readonly skipping?: ((offset: number) => { slots: readonly Slot[]; rank: number }) | undefined;
  /** Counts the later rows up to and including a key. */
  countLater(later: Later, upTo: Key): Fragment;
};

/** The same without bookmarks. */
export type KeysInOrder<Key extends object> = Omit<OrderedList<Key>, "countLater">;

/** Below this offset a plain OFFSET scan is as cheap. */
const defaultOffset = 1000;
/** Bookmarks older than this many masterchain blocks are dropped: counting newer rows costs more than a scan. */
const maxBlocks = 1000;
const maxLists = 256;
const maxOfList = 64;
/** This many of the newest bookmarks of a list are never evicted. */
const newestKept = 4;

/** In this version of the index, `rank` rows came before the row with this key. */
type Bookmark = { readonly rank: number; readonly key: object; readonly version: ContentVersion };

/**
 * A cache of keys by their ranks in long lists, so that deep pages need no scan from the top. Bookmarks are corrected by
 * the number of newer rows before use, or not used: answers never depend on the cache.
 */
export class OffsetBookmarks {
  readonly #lists = new Map<string, Bookmark[]>();
  readonly #fromOffset: number;

  constructor({ fromOffset = defaultOffset } = {}) {
    this.#fromOffset = fromOffset;
  }

  /** The keys of a page. Must run in one snapshot. */
  read<Key extends object>(queries: Queries, list: OrderedList<Key>, page: Page): Promise<Key[]> {
    return this.readRows(
      queries,
      { order: list.order, list: async () => list },
      page,
      async (part, after) => {
        const rows = await searchKeys(queries, list, withoutCursor(part), after && keyFrom(list, after));
        const last = rows.at(-1);
        noteLast(part, rows, (key) => valuesFrom(list, key));
        return { rows, last: last && valuesFrom(list, last) };
      },
    );
  }

  /**
   * The rows of a page, which `read` finds from its offset on, or behind a key. Must run in one snapshot. `list` makes the
   * list, which deep pages need; `isKeyed`: whether the key of the last row is.
   */
  async readRows<Key extends object, Row>(
    queries: Queries,
    ordered: Ordered<Key> & { list: () => Promise<OrderedList<Key>> },
    page: Page,
    read: (page: Page, after: readonly KeyValue[] | undefined, isKeyed: boolean) => Promise<ReadPage<Row>>,
  ): Promise<Row[]> {
    if (page.cursor || page.offset < this.#fromOffset)
      return (await read(page, keyAfter(ordered.order, page.cursor?.after), page.cursor !== undefined)).rows;
    const list = await ordered.list();
    const known = this.#listOf(list);
    const content = await readContent(
      queries,
      known.map(({ version }) => version),
    );
    if (!content) return (await read(page, undefined, false)).rows;
    const { version } = content;
    const isNew = ({ seqno }: ContentVersion) => seqno >= version.seqno - maxBlocks;
    forget(known, (bookmark) => !(isNew(bookmark.version) && content.isAfter(bookmark.version)));
    const start = await findStart(queries, list, version, known, page.offset);
    const { rows, last } =
      start && start.rank >= (list.skipping?.(page.offset).rank ?? 0)
        ? await read({ ...page, offset: page.offset - start.rank - 1 }, valuesFrom(list, start.key), true)
        : await read(page, undefined, true);
    if (last) note(known, { rank: page.offset + rows.length - 1, key: keyFrom(list, last), version });
    return rows;
  }

  /** The bookmarks of a list, which its statement identifies. Lists are evicted in LRU order. */
  #listOf(list: OrderedList<never>): Bookmark[] {
    const name = nameOf(list.keys({ limit: 1, offset: 0 }));
    const known = this.#lists.get(name) ?? [];
    this.#lists.delete(name);
    this.#lists.set(name, known);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= maxLists) break;
      this.#lists.delete(oldest);
    }
    return known;
  }
}

/** The keys of a page, without bookmarks. */
export async function readKeys<Key extends object>(
  queries: Queries,
  list: KeysInOrder<Key>,
  page: Page,
): Promise<Key[]> {
  const keys = await searchKeys(queries, list, withoutCursor(page), keyOfCursor(list, page));
  noteLast(page, keys, (last) => valuesFrom(list, last));
  return keys;
}

const withoutCursor = ({ limit, offset }: Page): Page => ({ limit, offset });

type Ordered<Key extends object> = Pick<OrderedList<Key>, "order">;

/** The key behind which a page begins, if it has a cursor. */
export function keyOfCursor<Key extends object>(list: Ordered<Key>, page: Page): Key | undefined {
  const after = keyAfter(list.order, page.cursor?.after);
  return after && keyFrom(list, after);
}

/** The values of a key in the cursor behind it. */
export function valuesFrom<Key extends object>({ order }: Ordered<Key>, key: Key): KeyValue[] {
  return order.map(([member]) => keyValue(key[member]));
}

/** No list needs other members of the key that it continues behind. */
function keyFrom<Key extends object>({ order }: Ordered<Key>, values: readonly KeyValue[]): Key {
  const entries = order.map(([member, type], place) => [
    member,
    type === "integer" ? Number(values[place]) : values[place],
  ]);
  return Object.fromEntries(entries) as Key;
}

/** Reads window by window until one has the page. */
async function searchKeys<Key extends object>(
  queries: Queries,
  list: KeysInOrder<Key>,
  page: Omit<Page, "cursor">,
  after: Key | undefined,
): Promise<Key[]> {
  const { windows, skipping } = list;
  if (!windows) return queries.query<Key>(list.keys(page, after));
  const skipped = after ? undefined : skipping?.(page.offset);
  const offset = page.offset - (skipped?.rank ?? 0);
  // With an offset, a window does not tell how many of its rows were skipped, so the next one includes its slots.
  const isContinued = windows.areApart === true && offset === 0;
  let found: Key[] = [];
  let searched: readonly Slot[] = [];
  for (const { slots, rest } of windows.of(after, skipped?.slots)) {
    const own = isContinued ? slots.filter((slot) => !searched.includes(slot)) : slots;
    const before = isContinued ? found : [];
    const part = { limit: page.limit - before.length, offset };
    found = [...before, ...(await queries.query<Key>(list.keys(part, after, own)))];
    const last = found[page.limit - 1];
    if (rest === undefined || (last && isBefore(rest, windows.place(last), windows.sort))) return found;
    searched = slots;
  }
  return [];
}

function nameOf({ text, values }: Statement): string {
  const hash = createHash("sha256").update(text);
  return hash
    .update(JSON.stringify(values, (_, value) => (typeof value === "bigint" ? `${value}n` : value)))
    .digest("base64");
}

/** The bookmark nearest before the page, with its rank in this version. */
async function findStart<Key extends object>(
  queries: Queries,
  list: OrderedList<Key>,
  version: ContentVersion,
  known: Bookmark[],
  offset: number,
): Promise<{ rank: number; key: Key } | undefined> {
  // Newer rows shift all bookmarks by about as much.
  let shift = 0;
  for (const bookmark of [...known].sort((a, b) => b.rank - a.rank)) {
    if (bookmark.rank + shift >= offset) continue;
    const key = bookmark.key as Key;
    if (bookmark.version.seqno === version.seqno) return { rank: bookmark.rank, key };
    const later = await laterThan(queries, bookmark.version.seqno);
    const row = await oneRow<{ count: bigint }>(queries, list.countLater(later, key));
    shift = Number(row.count);
    const rank = bookmark.rank + shift;
    forget(known, (other) => other === bookmark);
    note(known, { rank, key, version });
    if (rank < offset) return { rank, key };
  }
  return undefined;
}

function forget(known: Bookmark[], which: (bookmark: Bookmark) => boolean): void {
  known.splice(0, known.length, ...known.filter((bookmark) => !which(bookmark)));
}

/** If there are too many, the bookmark closest to its neighbours is evicted. */
function note(known: Bookmark[], bookmark: Bookmark): void {
  forget(known, ({ rank }) => rank === bookmark.rank);
  known.push(bookmark);
  if (known.length <= maxOfList) return;
  const ranks = known.map(({ rank }) => rank).sort((a, b) => a - b);
  const room = ({ rank }: Bookmark) => {
    const at = ranks.indexOf(rank);
    return (ranks[at + 1] ?? rank) - (ranks[at - 1] ?? 0);
  };
  const crowded = known.slice(0, -newestKept).reduce((a, b) => (room(b) < room(a) ? b : a));
  forget(known, (other) => other === crowded);
}
