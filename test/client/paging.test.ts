import { describe, expect, expectTypeOf, it } from "vitest";
import { type CallOptions, createClient, http, pages, rows } from "../../client/index.js";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";

type Params = { owner?: string; limit?: number; offset?: number };
type Page = { wallets: { n: number }[]; address_book: Record<string, string> };

/** A paged method over a list of rows that records its calls. */
function list(total: number) {
  const asked: [limit: number, offset: number][] = [];
  const signals: AbortSignal[] = [];
  const method = async ({ limit = 10, offset = 0 }: Params, { signal }: CallOptions = {}): Promise<Page> => {
    asked.push([limit, offset]);
    signals.push(signal!);
    const length = Math.max(0, Math.min(limit, total - offset));
    return { wallets: Array.from({ length }, (_, n) => ({ n: offset + n })), address_book: {} };
  };
  return { method, asked, signals };
}

async function take<T>(source: AsyncIterable<T>, count = Number.POSITIVE_INFINITY): Promise<T[]> {
  const taken: T[] = [];
  for await (const each of source) {
    taken.push(each);
    if (taken.length >= count) break;
  }
  return taken;
}

describe("rows", () => {
  it("continue over pages until one is short", async () => {
    const { method, asked } = list(25);
    const all = await take(rows(method, { owner: "o", limit: 10 }));
    expect(all).toEqual(Array.from({ length: 25 }, (_, n) => ({ n })));
    expect(asked).toEqual([
      [10, 0],
      [10, 10],
      [10, 20],
    ]);
  });

  it("end with an empty page when the last was full", async () => {
    const { method, asked } = list(20);
    expect(await take(rows(method, { limit: 10 }))).toHaveLength(20);
    expect(asked).toEqual([
      [10, 0],
      [10, 10],
      [10, 20],
    ]);
  });

  it("are read in pages of 100, from a given offset", async () => {
    const { method, asked } = list(120);
    expect((await take(rows(method, { offset: 5 })))[0]).toEqual({ n: 5 });
    expect(asked).toEqual([
      [100, 5],
      [100, 105],
    ]);
  });

  it("may be a bare list or null", async () => {
    expect(await take(rows(async (_: Params) => [1, 2, 3], { limit: 5 }))).toEqual([1, 2, 3]);
    expect(await take(rows(async () => ({ wallets: null, address_book: {} })))).toEqual([]);
  });

  it("have the type of the list's elements", async () => {
    const { method } = list(1);
    expectTypeOf(rows(method)).toEqualTypeOf<AsyncGenerator<{ n: number }, void, undefined>>();
    expectTypeOf(pages(method)).toEqualTypeOf<AsyncGenerator<Page, void, undefined>>();
    expectTypeOf(rows(async (_: Params) => [1])).toEqualTypeOf<AsyncGenerator<number, void, undefined>>();
    // @ts-expect-error there is no such parameter
    rows(method, { nonsense: 1 });
  });
});

describe("rows by cursor", () => {
  type Asked = { limit?: number; offset?: number; cursor?: string };

  /** A method whose cursors are the numbers of rows before the page. */
  function listWithCursors(total: number) {
    const asked: Asked[] = [];
    const method = async (params: Asked) => {
      asked.push(params);
      const from = params.cursor === "start" ? 0 : Number(params.cursor);
      const rows = Array.from({ length: Math.min(params.limit!, total - from) }, (_, n) => from + n);
      const cursor: string | null = rows.length === params.limit ? String(from + rows.length) : null;
      return { rows, cursor };
    };
    return { method, asked };
  }

  it.each([
    [25, ["start", "10", "20"]],
    [20, ["start", "10", "20"]],
    [0, ["start"]],
  ])("continue from cursor to cursor until it is null, %i rows", async (total, cursors) => {
    const { method, asked } = listWithCursors(total);
    expect(await take(rows(method, { limit: 10, cursor: "start" }))).toEqual(
      Array.from({ length: total }, (_, n) => n),
    );
    expect(asked).toEqual(cursors.map((cursor) => ({ limit: 10, cursor })));
  });

  it("continue behind a page that is short or empty, as its cursor goes on", async () => {
    const { method } = listWithCursors(25);
    const isWanted = (n: number) => n === 3 || n >= 20;
    const few = async (params: Asked) => {
      const page = await method(params);
      return { ...page, rows: page.rows.filter(isWanted) };
    };
    expect(await take(rows(few, { limit: 10, cursor: "start" }))).toEqual([3, 20, 21, 22, 23, 24]);
  });

  it("begin behind a given cursor", async () => {
    const { method } = listWithCursors(25);
    expect(await take(rows(method, { limit: 10, cursor: "20" }))).toEqual([20, 21, 22, 23, 24]);
  });

  it("continue by offset where answers have no cursor", async () => {
    const { method, asked } = list(25);
    const all = await take(rows(method as (params: Asked) => Promise<Page>, { limit: 10, cursor: "start" }));
    expect(all).toHaveLength(25);
    expect(asked.map(([, offset]) => offset)).toEqual([0, 10, 20]);
  });

  it("have the types of lists with and without an offset", () => {
    const client = createClient({ transport: http("http://127.0.0.1:1") });
    const { wallets } = client.v3.jetton;
    expectTypeOf(rows(wallets, { owner_address: ["x"], cursor: "start" })).toEqualTypeOf(rows(wallets));
    const { nominatorEvents } = client.v3.staking.nominatorPools;
    rows(nominatorEvents, { pool: "x", cursor: "start" });
    // @ts-expect-error a cursor is text
    rows(wallets, { cursor: 1 });
    client.close();
  });
});

describe("pages", () => {
  it("are fetched one ahead, and no further", async () => {
    const { method, asked } = list(1000);
    const each = pages(method, { limit: 10 });
    expect(asked).toEqual([]);
    await each.next();
    expect(asked).toHaveLength(2);
    await each.next();
    expect(asked).toHaveLength(3);
    await each.return();
  });

  it("stop being asked for when the loop is left, and the request under way is aborted", async () => {
    const { method, asked, signals } = list(1000);
    expect(await take(pages(method, { limit: 10 }), 2)).toHaveLength(2);
    expect(asked).toHaveLength(3);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it("fail where a page fails, after those before it", async () => {
    const { method } = list(1000);
    const failing = async (params: Params) => {
      if (params.offset === 20) throw new Error("no third page");
      return method(params);
    };
    const seen: number[] = [];
    await expect(async () => {
      for await (const { wallets } of pages(failing, { limit: 10 })) seen.push(wallets[0]!.n);
    }).rejects.toThrow("no third page");
    expect(seen).toEqual([0, 10]);
  });

  it("pass on the caller's signal and deadline", async () => {
    const controller = new AbortController();
    const seen: CallOptions[] = [];
    const method = async (_: Params, options: CallOptions = {}) => {
      seen.push(options);
      return [1];
    };
    const each = pages(method, { limit: 1 }, { signal: controller.signal, timeoutMs: 5 });
    await each.next();
    controller.abort("enough");
    expect(seen.map(({ signal, timeoutMs }) => [signal!.reason, timeoutMs])).toEqual([
      ["enough", 5],
      ["enough", 5],
    ]);
    await each.return();
    const late = pages(method, {}, { signal: AbortSignal.abort("before") });
    await late.next();
    expect(seen.at(-1)!.signal!.reason).toBe("before");
  });
});

describe("the pages of every paged method of the service", () => {
  const paged = flatten(registry).filter(
    ([, { params }]) => "limit" in params.shape && "offset" in params.shape,
  );

  it.each(paged.map(([name, definition]) => [name, definition] as const))(
    "%s: are found in its answer",
    async (_, { examples }) => {
      const offsets: number[] = [];
      const method = async ({ offset = 0 }: { limit?: number; offset?: number }) => {
        offsets.push(offset);
        // A page of two, then one of one: the rows of the method's own example.
        return withRows(examples[0].result, offsets.length === 1 ? 2 : 1);
      };
      expect(await take(rows(method, { limit: 2 }))).toHaveLength(3);
      expect(offsets).toEqual([0, 2]);
    },
  );

  it("are those of every method with a limit, except lists without an offset", () => {
    const limited = flatten(registry).filter(([, { params }]) => "limit" in params.shape);
    const names = new Set(paged.map(([name]) => name));
    expect(limited.map(([name]) => name).filter((name) => !names.has(name))).toEqual([
      "getTransactions",
      "getTransactionsStd",
      "v3.account.balanceHistory",
      "v3.staking.nominatorPools.nominatorEvents",
      "v3.staking.nominatorPools.nominatorRewards",
      "v3.staking.nominatorPools.validatorEvents",
      "v3.staking.nominatorPools.validatorRewards",
      "v3.search",
      "v3.debug.trace",
      "v3.debug.message",
      "v3.debug.steps",
      "devnet.calls",
    ]);
  });
});

/** An answer with a list of this many rows. */
function withRows(answer: unknown, count: number): unknown {
  const repeated = (list: readonly unknown[]) => Array.from({ length: count }, () => list[0] ?? {});
  if (Array.isArray(answer)) return repeated(answer);
  const members = Object.entries(answer as object);
  return Object.fromEntries(
    members.map(([key, value]) => [key, Array.isArray(value) ? repeated(value) : value]),
  );
}
