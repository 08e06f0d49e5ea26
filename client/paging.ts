import { handledLater } from "../shared/values/promises.js";
import type { CallOptions } from "./call-options.js";

/** The row type of a page, which is either a list itself or an object with one list in it. */
export type RowOf<Page> = Page extends readonly (infer Row)[]
  ? Row
  : { [Member in keyof Page]-?: Page[Member] extends readonly (infer Row)[] ? Row : never }[keyof Page];

/** Rows per page unless the parameters have a `limit`. */
export const defaultPageLimit = 100;

/** Methods must take an `offset`. `getTransactions` does not: it continues from a transaction instead. */
type Paged = { readonly offset?: unknown } | undefined;

/**
 * Iterates over pages from `offset` until one is shorter than `limit`. The next page is prefetched while the current
 * one is used; leaving the loop aborts the prefetch.
 */
export async function* pages<Params extends Paged, Page>(
  method: (params: Params, options?: CallOptions) => Promise<Page>,
  params: Params = {} as Params,
  options: CallOptions = {},
): AsyncGenerator<Page, void, undefined> {
  const given = params as { readonly limit?: unknown; readonly offset?: unknown };
  const limit = Number(given.limit ?? defaultPageLimit);
  const left = new AbortController();
  const leave = () => left.abort(options.signal?.reason);
  const ask = (offset: number) => {
    const page = method({ ...params, limit, offset } as Params, { ...options, signal: left.signal });
    return handledLater(page);
  };
  if (options.signal?.aborted) leave();
  else options.signal?.addEventListener("abort", leave);
  try {
    let offset = Number(given.offset ?? 0);
    let next: Promise<Page> | undefined = ask(offset);
    while (next) {
      const page: Page = await next;
      const { length } = rowsOf(page);
      offset += length;
      next = length > 0 && length >= limit ? ask(offset) : undefined;
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
