import type { CallOptions } from "./caller.js";

/** The rows of a page: the page itself, or the one list in it. */
export type RowOf<Page> = Page extends readonly (infer Row)[]
  ? Row
  : { [Member in keyof Page]: Page[Member] extends readonly (infer Row)[] ? Row : never }[keyof Page];

export const defaultPageLimit = 100;

/** Without an offset every page would be the first one: `getTransactions` goes on from a transaction instead. */
type Paged = { readonly offset?: unknown } | undefined;

/**
 * Whole pages, one after the other, from `offset` on until one is short. The next page is fetched while one is
 * being used; leaving the loop aborts that request.
 */
export async function* pages<Given extends Paged, Page>(
  method: (params: Given, options?: CallOptions) => Promise<Page>,
  params: Given = {} as Given,
  options: CallOptions = {},
): AsyncGenerator<Page, void, undefined> {
  const given = params as { readonly limit?: unknown; readonly offset?: unknown };
  const limit = Number(given.limit ?? defaultPageLimit);
  const left = new AbortController();
  const leave = () => left.abort(options.signal?.reason);
  const ask = (offset: number) => {
    const page = method({ ...params, limit, offset } as Given, { ...options, signal: left.signal });
    // It may fail while nobody looks at it yet.
    page.catch(() => {});
    return page;
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

/** The rows of all pages. */
export async function* rows<Given extends Paged, Page>(
  method: (params: Given, options?: CallOptions) => Promise<Page>,
  params: Given = {} as Given,
  options: CallOptions = {},
): AsyncGenerator<RowOf<Page>, void, undefined> {
  for await (const page of pages(method, params, options)) yield* rowsOf(page as Page) as never[];
}

/** An older service says `null` for an empty list. */
function rowsOf<Page>(page: Page): readonly RowOf<Page>[] {
  return [page, ...Object.values(page ?? {})].find(Array.isArray) ?? [];
}
