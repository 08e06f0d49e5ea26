import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { TextBytes } from "../../server/present/v3/answer-text.js";
import { defineList } from "../../shared/methods/define-list.js";
import { JsonText } from "../../shared/methods/json-text.js";
import { page, sort } from "../../shared/schema/v3/params.js";
import { type ListCursor, textOfCursor } from "../../shared/values/list-cursor.js";
import { startApp, type TestApp } from "../helpers/http/app.js";
import { openSocket } from "../helpers/http/socket.js";

const common = {
  summary: "Numbers from 0.",
  group: "Test",
  verbs: ["GET"],
  freshness: { kind: "index" },
} as const;
const params = z.object({ even: z.string().optional(), ...page({ initial: 2, max: 1000 }), sort });
const example = { params: {}, result: {} };
const result = z.looseObject({});
const methods = {
  numbers: defineList({ ...common, params, result, examples: [example] }),
  others: defineList({ ...common, params, result, examples: [example] }),
  texts: defineList({ ...common, params, result, examples: [example] }),
  long: defineList({ ...common, params, result, examples: [example] }),
  bare: defineList({
    ...common,
    params,
    result: z.array(z.number()),
    examples: [{ params: {}, result: [] }],
  }),
};

const count = 5;
let runs = 0;

type Params = { limit: number; offset: number; cursor?: ListCursor | undefined };

function listed({ limit, offset, cursor }: Params): number[] {
  runs++;
  const from = cursor?.after ? Number(cursor.after[0]) + 1 : offset;
  const rows = Array.from({ length: Math.min(limit, count - from) }, (_, place) => from + place);
  if (cursor && rows.length === limit) cursor.next = [BigInt(rows.at(-1)!)];
  return rows;
}

/** In memory that is used again. */
function lent(rows: number[]): JsonText<Record<string, unknown>> {
  const text = new TextBytes();
  text.add(`{"rows":${JSON.stringify(rows)},"more":"${"x".repeat(100_000)}"}`);
  return new JsonText(text.end());
}

let app: TestApp;
beforeAll(async () => {
  const numbers = async (given: Params) => ({ rows: listed(given) });
  app = await startApp({
    registry: { v3: methods },
    implementations: {
      v3: {
        numbers,
        others: numbers,
        texts: async (given: Params) =>
          new JsonText<Record<string, unknown>>(JSON.stringify({ rows: listed(given) })),
        long: async (given: Params) => lent(listed(given)),
        bare: async (given: Params) => listed(given),
      },
    },
    index: { current: "block 1" },
  });
});
afterAll(() => app.close());
beforeEach(() => {
  runs = 0;
});

type Answer = { rows: number[]; cursor?: string | null; error?: string };
const get = async (path: string) => (await app.ask(`/api/v3/${path}`)).json as Answer;

describe("a list", () => {
  it.each(["numbers", "texts", "long"])("answers with the next cursor until it is null: %s", async (name) => {
    const found: number[] = [];
    for (let cursor: string | null | undefined = "start"; cursor; ) {
      const answer = await get(`${name}?cursor=${cursor}`);
      found.push(...answer.rows);
      expect(Object.keys(answer).at(-1)).toBe("cursor");
      cursor = answer.cursor;
    }
    expect(found).toEqual([0, 1, 2, 3, 4]);
    expect((await get(`${name}?limit=5&cursor=start`)).rows).toHaveLength(5);
  });

  it("answers as ever without a cursor", async () => {
    expect((await app.ask("/api/v3/numbers?offset=3")).text).toBe('{"rows":[3,4]}');
  });

  it("takes a cursor with pages of another length", async () => {
    const { cursor } = await get("numbers?limit=1&cursor=start");
    expect(await get(`numbers?limit=9&cursor=${cursor}`)).toEqual({ rows: [1, 2, 3, 4], cursor: null });
  });

  it("caches each page by its cursor", async () => {
    const first = await get("numbers?limit=4&cursor=start");
    const second = await get(`numbers?limit=4&cursor=${first.cursor}`);
    expect(runs).toBe(2);
    expect([
      await get("numbers?limit=4&cursor=start"),
      await get(`numbers?limit=4&cursor=${first.cursor}`),
    ]).toEqual([first, second]);
    expect(runs).toBe(2);
  });
});

describe("a list that is an array", () => {
  it("has the cursor in a header, also at the second request", async () => {
    for (let n = 0; n < 2; n++) {
      const { json, headers } = await app.ask("/api/v3/bare?cursor=start");
      expect(json).toEqual([0, 1]);
      const next = headers.get("X-Next-Cursor");
      const more = await app.ask(`/api/v3/bare?limit=9&cursor=${next}`);
      expect([more.json, more.headers.get("X-Next-Cursor")]).toEqual([[2, 3, 4], null]);
    }
    expect((await app.ask("/api/v3/bare")).headers.get("X-Next-Cursor")).toBeNull();
  });

  it("has it beside the result in JSON-RPC, alone, in batches and over WebSocket", async () => {
    const call = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "v3.bare", params });
    const { json } = await app.post("/jsonRPC", call({ cursor: "start" }));
    const { result, cursor } = json as { result: number[]; cursor: string };
    expect([result, typeof cursor]).toEqual([[0, 1], "string"]);
    const batch = await app.post("/jsonRPC", [call({ cursor, limit: 9 }), call({})]);
    const last = { jsonrpc: "2.0", id: 1, ok: true, result: [2, 3, 4], cursor: null };
    expect(batch.json).toEqual([last, { jsonrpc: "2.0", id: 1, ok: true, result: [0, 1] }]);
    const socket = await openSocket(app.url, { path: "/jsonRPC" });
    socket.send(call({ cursor, limit: 9 }));
    expect(await socket.next()).toEqual(last);
    socket.close();
    const inEnvelope = (await app.post("/api/v2/jsonRPC", call({ cursor, limit: 9 }))).json;
    expect(inEnvelope).toMatchObject({ ok: true, result: [2, 3, 4], cursor: null });
  });
});

describe("a cursor is refused", () => {
  const other = /^cursor belongs to another list, or to other filters/;
  const none = /^cursor is none of this service/;

  async function expectRefusal(path: string, text: RegExp): Promise<void> {
    const { status, json } = await app.ask(`/api/v3/${path}`);
    expect([status, (json as Answer).error], path).toEqual([422, expect.stringMatching(text)]);
  }

  it("by another list, with other filters or another order", async () => {
    const { cursor } = await get("numbers?cursor=start");
    await expectRefusal(`others?cursor=${cursor}`, other);
    await expectRefusal(`numbers?even=1&cursor=${cursor}`, other);
    await expectRefusal(`numbers?sort=asc&cursor=${cursor}`, other);
    expect((await get(`numbers?sort=desc&cursor=${cursor}`)).rows).toEqual([2, 3]);
  });

  it("if one of its characters was changed", async () => {
    const cursor = (await get("numbers?limit=3&cursor=start")).cursor!;
    for (let place = 0; place < cursor.length; place++) {
      const letter = cursor[place] === "A" ? "B" : "A";
      await expectRefusal(
        `numbers?cursor=${cursor.slice(0, place)}${letter}${cursor.slice(place + 1)}`,
        /^cursor /,
      );
    }
    expect(runs).toBe(1);
  });

  it("if it was made elsewhere", async () => {
    await expectRefusal(`numbers?cursor=${textOfCursor([1n], new Uint8Array(32))}`, other);
    await expectRefusal("numbers?cursor=", none);
    await expectRefusal("numbers?cursor=START", none);
    await expectRefusal(`numbers?cursor=${"A".repeat(600)}`, none);
    await expectRefusal("numbers?cursor=start&cursor=1", none);
  });

  it("with an offset", async () => {
    await expectRefusal("numbers?offset=1&cursor=start", /^use either cursor or offset, not both$/);
    expect((await get("numbers?offset=0&cursor=start")).rows).toEqual([0, 1]);
  });
});
