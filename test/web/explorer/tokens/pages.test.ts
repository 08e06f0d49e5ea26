import { afterEach, describe, expect, it, vi } from "vitest";
import type { Page } from "../../../../server/web/explorer/history/pages.js";
import { Names } from "../../../../server/web/explorer/parts/names.js";
import { galleryPages } from "../../../../server/web/explorer/tokens/gallery.js";
import { holderPages } from "../../../../server/web/explorer/tokens/holders.js";
import { jettonTransferPages } from "../../../../server/web/explorer/tokens/transfers.js";
import type { ViewContext } from "../../../../server/web/explorer/view.js";
import { Address } from "../../../../shared/values/address.js";

const account = (number: number) => `0:${number.toString(16).toUpperCase().padStart(64, "0")}`;
const friendly = (number: number) => Address.read(account(number))!.address.toFriendly();
const numbers = (many: number) => Array.from({ length: many }, (_, number) => number);

type Params = Readonly<Record<string, unknown>> & {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string;
};

/** A page of a list by cursor, as a service cuts it. */
function cut<Item>(list: readonly Item[], { limit, cursor }: Params) {
  const start = cursor === "start" ? 0 : Number(cursor);
  const end = start + limit;
  return { start, items: list.slice(start, end), cursor: end < list.length ? String(end) : null };
}

/** The context of a view whose calls have such answers. */
function answering(answer: (params: Params) => object): ViewContext {
  const call = async (_: string, params: Params) => ({ address_book: {}, metadata: {}, ...answer(params) });
  return { call, names: new Names() } as unknown as ViewContext;
}

/** The markup of all pages, as a button leads through them. */
async function readAll(read: () => Promise<Page>): Promise<string> {
  let text = "";
  for (;;) {
    const { rows, isLast } = await read();
    text += rows.text;
    if (isLast) return text;
  }
}

/** Accounts, in order, that links of a kind lead to. */
const linked = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("lists of tokens", () => {
  it("have each holder once, though balances change between two pages", async () => {
    const order = numbers(60);
    const context = answering((params) => {
      const { start, items, cursor } = cut(order, params);
      // A wallet of the first page sinks below the others.
      if (start === 0) order.push(0);
      const jetton_wallets = items.map((number) => ({
        address: account(1000 + number),
        owner: account(number),
        balance: "5",
      }));
      return { jetton_wallets, cursor };
    });
    const text = await readAll(holderPages(context, { master: account(7), supply: 300n }));
    const owners = linked(text, /class="holder"><a[^>]*href="\/account\/([^"]*)"/g);
    expect(new Set(owners).size).toBe(owners.length);
    expect(owners.slice(0, 25)).toEqual(numbers(25).map(friendly));
    expect(linked(text, /class="rank aside">([^<]*)</g)).toEqual(owners.map((_, place) => String(place + 1)));
    expect(text).toContain("1.66 %");
  });

  it("have each item once, and no page beyond the last", async () => {
    vi.stubGlobal("document", { body: { dataset: {} } });
    const asked: unknown[] = [];
    const context = answering((params) => {
      asked.push(params.cursor);
      const { items, cursor } = cut(numbers(48), params);
      const nft_items = items.map((number) => ({
        address: account(number),
        index: String(number),
        content: {},
        owner_address: account(99),
        on_sale: number === 3,
        ...(number === 3 && { real_owner: account(98) }),
      }));
      return { nft_items, cursor };
    });
    const text = await readAll(galleryPages(context, account(7)));
    expect(linked(text, /href="\/nft\/([^"]*)"/g)).toEqual(numbers(48).map(friendly));
    expect(asked).toEqual(["start", "24"]);
    expect(text.split("on sale")).toHaveLength(2);
    expect(linked(text, /href="\/account\/([^"]*)"/g)[3]).toBe(friendly(98));
  });

  it("have each transfer once, though new ones arrive and many have one time", async () => {
    let newest = 70;
    const ltOf = (number: number) => Math.floor(number / 30);
    const context = answering(({ limit, offset = 0, end_lt: end }) => {
      const wanted = numbers(newest)
        .reverse()
        .filter((number) => end === undefined || ltOf(number) <= Number(end))
        .slice(offset, offset + limit);
      newest += 40;
      const jetton_transfers = wanted.map((number) => ({
        source: account(number),
        destination: "",
        amount: "5",
        transaction_lt: String(ltOf(number)),
        transaction_now: 1,
        trace_id: "A".repeat(43).concat("="),
      }));
      return { jetton_transfers };
    });
    const text = await readAll(jettonTransferPages(context, account(7)));
    const sources = linked(text, /href="\/account\/([^"]*)"/g);
    // New transfers with the time of the last one read would move the offset; the index adds later times only.
    expect(new Set(sources).size).toBe(sources.length);
    expect(sources.at(-1)).toBe(friendly(0));
  });
});
