import { handledLater } from "../shared/values/promises.js";
import type { CallOptions } from "./call-options.js";

/** The row type of a page, which is either a list itself or an object with one list in it. */
export type RowOf<Page> = Page extends readonly (infer Row)[]
  ? Row
  : { [Member in keyof Page]-?: Page[Member] extends readonly (infer Row)[] ? Row : never }[keyof Page];

/** Rows per page unless the parameters have a `limit`. */
export const defaultPageLimit = 100;

/** Methods must take an `offset` or a `cursor`. `getTransactions` does not: it continues from a transaction instead. */
type Paged = { readonly offset?: unknown } | { readonly cursor?: unknown } | undefined;

/**
 * Iterates over pages from `offset` until one is shorter than `limit`, or with `cursor: "start"` from cursor to cursor, which rows
 * that are added meanwhile do not shift. Answers without cursors, such as TON Center's, are continued by offset. The next page
 * is prefetched while the current one is used; leaving the loop aborts the prefetch.
 */
export async function* pages<Params extends Paged, Page>(
  method: (params: Params, options?: CallOptions) => Promise<Page>,
  params: Params = {} as Params,
  options: CallOptions = {},
): AsyncGenerator<Page, void, undefined> {
  const given = params as { readonly limit?: unknown; readonly offset?: unknown; readonly cursor?: unknown };
  const limit = Number(given.limit ?? defaultPageLimit);
  const left = new AbortController();
  const leave = () => left.abort(options.signal?.reason);
  const ask = (place: object) => {
    const page = method({ ...params, limit, ...place } as Params, { ...options, signal: left.signal });
    return handledLater(page);
  };
  const isByCursor = given.cursor !== undefined;
  if (options.signal?.aborted) leave();
  else options.signal?.addEventListener("abort", leave);
  try {
    let offset = Number(given.offset ?? 0);
    let next: Promise<Page> | undefined = ask(isByCursor ? {} : { offset });
    while (next) {
      const page: Page = await next;
      const { length } = rowsOf(page);
      offset += length;
      const cursor = isByCursor ? cursorOf(page) : undefined;
      const hasMore = cursor === undefined ? length > 0 && length >= limit : cursor !== null;
      next = hasMore ? ask(cursor === undefined ? { offset, cursor } : { cursor }) : undefined;
      yield page;
    }
  } finally {
    options.signal?.removeEventListener("abort", leave);
    left.abort();
  }
}

/** Iterates over the rows of all pages; see `pages`. */
export async function* rows<Params extends Paged, Page>(
  method: (params: Params, options?: CallOptions) => Promise<Page>,
  params: Params = {} as Params,
  options: CallOptions = {},
): AsyncGenerator<RowOf<Page>, void, undefined> {
  for await (const page of pages(method, params, options)) yield* rowsOf(page as Page) as never[];
}

/** `undefined` in answers of services without cursors, and in lists that are arrays. */
function cursorOf(page: unknown): string | null | undefined {
  return (page as { readonly cursor?: string | null } | null)?.cursor;
}

/** TON Center may answer `null` for an empty list. */
function rowsOf<Page>(page: Page): readonly RowOf<Page>[] {
  return [page, ...Object.values(page ?? {})].find(Array.isArray) ?? [];
}
