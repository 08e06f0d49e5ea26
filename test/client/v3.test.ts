import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient, http, pages, rows, sendAndWait } from "../../client/index.js";
import { codeOf, place } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { until } from "../helpers/until.js";

// The parts of the client that need an index, on the devnet's own.

let service: DevnetService;
let client: Client;
let last: number;

beforeAll(async () => {
  service = await sharedService("indexed");
  client = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key, timeoutMs: 0 });
  await indexed(0);
  last = await service.mine(9);
  await indexed(last);
});
afterAll(async () => {
  client?.close();
  await service?.close();
});

const indexed = (seqno: number) =>
  until("the index", async () => {
    const info = await client.v3.masterchainInfo().catch(() => undefined);
    return info !== undefined && info.last.seqno >= seqno;
  });

const mined = async (address: string) => (await client.getTransactions({ address, limit: 1 })).length > 0;

describe("paged methods of the service", () => {
  it("give every row once, by JSON-RPC", async () => {
    const seqnos: number[] = [];
    for await (const { seqno } of rows(client.v3.blocks, { workchain: -1, sort: "asc", limit: 4 }))
      seqnos.push(seqno);
    expect(new Set(seqnos).size).toBe(seqnos.length);
    expect(seqnos.slice(-9)).toEqual(Array.from({ length: 9 }, (_, n) => last - 8 + n));
  });

  it("give the same by REST, where only that is served", async () => {
    const restOnly: typeof fetch = async (url, init) => {
      if (!String(init?.body ?? "").startsWith("[")) return fetch(url, init);
      return Response.json({ ok: false, error: "expected an object", code: 422 }, { status: 422 });
    };
    const transport = http(`${service.url}/api/v2/jsonRPC`, { fetch: restOnly });
    const other = createClient({ transport, apiKey: service.key });
    const collect = async (each: Client) => {
      const found: unknown[] = [];
      for await (const page of pages(each.v3.transactions, { limit: 5, sort: "asc" })) found.push(page);
      return found;
    };
    const [own, theirs] = [await collect(client), await collect(other)];
    expect(own.length).toBeGreaterThan(1);
    expect(theirs).toEqual(own);
    await expect(other.v3.emulate.trace({ boc: "" })).rejects.toMatchObject({
      status: 400,
      shortMessage: "invalid request: boc is required",
    });
    await expect(other.v3.blocks({ sort: "sideways" as never })).rejects.toMatchObject({
      code: "invalid-params",
      status: 422,
      shortMessage: "wrong value for sort parameter",
    });
    await expect(client.v3.blocks({ sort: "sideways" as never })).rejects.toMatchObject({
      code: "invalid-params",
      status: 422,
      shortMessage: 'sort must be one of asc, desc, not "sideways"',
      details: "wrong value for sort parameter",
    });
    other.close();
  });
});

describe("bigint arguments of get-methods", () => {
  it("keep every digit", async () => {
    const address = `0:${"2".repeat(64)}`;
    const value = 2n ** 256n - 1n;
    const run = { address, method: "85143" };
    const shown = `0x${value.toString(16)}`;
    const pairs = await client.runGetMethod({ ...run, stack: [["num", value]] });
    expect(pairs.stack[0]).toEqual(["num", shown]);
    const records = await client.v3.runGetMethod({ ...run, stack: [{ type: "num", value }] });
    expect(records.stack[0]).toEqual({ type: "num", value: shown });
  });
});

describe("a message that is sent to a service with an index", () => {
  it("is found there by its normalised hash", async () => {
    const acceptAll = "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2";
    await place(service, { address: acceptAll, code: codeOf("FF00F800"), balance: "1000000000000" });
    const boc = "te6cckEBAgEAMQABRYgB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U4MAQASAAAAAGhlbGxvDbfLyA==";
    const sent = sendAndWait(client, boc, { everyMs: 100, timeoutMs: 0, until: "transaction" });
    await until("the message", async () => (await service.mine()) && mined(acceptAll));
    const { from, transaction, hashNorm } = await sent;
    expect(from).toBe("v3");
    expect(transaction).toMatchObject({ in_msg: { hash_norm: hashNorm } });
  });
});
