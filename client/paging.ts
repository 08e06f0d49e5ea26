import { handledLater } from "../shared/values/promises.js";
import type { CallOptions } from "./call-options.js";
import { awaited } from "./errors.js";

/** The row type of a page, which is either a list itself or an object with one list in it. */
export type RowOf<Page> = Page extends readonly (infer Row)[]
  ? Row
  : { [Member in keyof Page]-?: Page[Member] extends readonly (infer Row)[] ? Row : never }[keyof Page];

/** Rows per page unless the parameters have a `limit`. */
export const defaultPageLimit = 100;

/** Members of parameters, and the cursor of an answer. */
type Place = { limit?: unknown; offset?: unknown; cursor?: string | null };

/** Methods must take an `offset` or a `cursor`. `getTransactions` does not: it continues from a transaction instead. */
type Paged = { readonly offset?: unknown } | { readonly cursor?: unknown } | undefined;

/**
 * Iterates over pages from `offset` until one is shorter than `limit`, or with `cursor: "start"` from cursor to cursor, which rows
 * that are added meanwhile do not shift; such a page may be short, or empty, before the end. Answers without cursors, such as TON Center's, are continued by offset. The next page
 * is prefetched while the current one is used; leaving the loop aborts the prefetch.
 */
export async function* pages<Params extends Paged, Page>(
  method: (params: Params, options?: CallOptions) => Promise<Page>,
  params: Params = {} as Params,
  options: CallOptions = {},
): AsyncGenerator<Page, void, undefined> {
  let { limit = defaultPageLimit, offset, cursor } = params as Place;
  const left = new AbortController();
  const leave = () => left.abort(options.signal?.reason);
  const ask = () => {
    const page = method({ ...params, limit, offset, cursor } as Params, { ...options, signal: left.signal });
    return handledLater(page);
  };
  if (options.signal?.aborted) leave();
  else options.signal?.addEventListener("abort", leave);
  try {
    let next: Promise<Page> | undefined = ask();
    while (next) {
      const page: Page = await awaited(next);
      const { length } = rowsOf(page);
      // Absent unless it was asked for, from services without cursors, and where the page is an array.
      ({ cursor } = Object(page) as Place);
      const isFull = length > 0 && length >= Number(limit);
      if (!cursor) offset = Number(offset ?? 0) + length;
      next = cursor || (isFull && cursor !== null) ? ask() : undefined;
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

/** TON Center may answer `null` for an empty list. */
function rowsOf<Page>(page: Page): readonly RowOf<Page>[] {
  return [page, ...Object.values(page ?? {})].find(Array.isArray) ?? [];
}
