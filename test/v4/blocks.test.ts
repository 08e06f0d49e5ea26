import { Address } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { LiteError } from "../../shared/ton/lite/lite-api.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import { type ChainApp, firstBlocks, startChainApp } from "../helpers/http/chain-app.js";
import { openSocket, refusedHandshake } from "../helpers/http/socket.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { describeWithChain } from "../helpers/test-data.js";

const friend = "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2";
const year = "public, max-age=31536000";
const soon = "public, max-age=5";
const noBlock = [200, { exist: false }, "application/json; charset=utf-8"];
const internalError = [500, "500 Internal Error", "text/plain; charset=utf-8"];

type Shard = {
  workchain: number;
  seqno: number;
  shard: string;
  transactions: { account: string; lt: string }[];
};
type Block = { exist: true; block: { shards: Shard[] } };
type Latest = { last: { seqno: number }; now: number };

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
  await service.run("devnet.faucet", { address: friend });
  await service.mine(1);
});
afterAll(() => service.close());

const ask = async (path: string) => {
  const { status, text, headers } = await service.get(`/api/v4${path}`);
  expect(headers.get("Cache-Control")).toBe("no-store");
  return [status, status === 200 ? JSON.parse(text) : text, headers.get("Content-Type")];
};
const latest = () => service.run<Latest>("v4.latest");

describe("v4.latest", () => {
  it("is the same by REST and by JSON-RPC, without an envelope", async () => {
    expect(await ask("/block/latest")).toEqual([200, await latest(), "application/json; charset=utf-8"]);
    expect(await ask("/block/latest/")).toEqual(await ask("/block/latest"));
  });
});

describe("v4.block", () => {
  it("has the masterchain block and the shard blocks that are new in it, in every form of a call", async () => {
    const { seqno } = (await latest()).last;
    for (const params of [{ seqno: seqno - 1 }, { seqno: 1 }]) {
      const ends = await service.inAllForms("v4.block", params);
      const first = ends[0]![1];
      for (const [form, ended] of ends) expect([form, ended]).toEqual([form, first]);
      const { block } = (first as { result: Block }).result;
      expect(block.shards.map(({ workchain }) => workchain)).toEqual([-1, 0]);
    }
    const { block } = await service.run<Block>("v4.block", { seqno: seqno - 1 });
    expect(block.shards[1]!.transactions.map(({ account }) => account)).toContain(friend);
  });

  it("does not exist before the first block and after the last", async () => {
    for (const seqno of [0, -5, 999_999_999]) {
      expect(await ask(`/block/${seqno}`)).toEqual(noBlock);
      expect(await service.run("v4.block", { seqno })).toEqual({ exist: false });
    }
  });

  it("fails with the reference's text for any other seqno", async () => {
    for (const wrong of ["x", "1.5", "99999999999", "%20", "watch%2F", "%E0%A4%A"])
      expect(await ask(`/block/${wrong}`)).toEqual(internalError);
  });
});

describe("v4.blockByUtime", () => {
  it("is the first block at the time or after it", async () => {
    const { last, now } = await latest();
    const times = await Promise.all(
      [last.seqno - 1, last.seqno].map(
        async (seqno) =>
          (
            await service.run<{ gen_utime: number }>("getBlockHeader", {
              workchain: -1,
              shard: "-9223372036854775808",
              seqno,
            })
          ).gen_utime,
      ),
    );
    const [before, at] = times as [number, number];
    expect(at).toBe(now);
    expect(await ask(`/block/utime/${before + 1}`)).toEqual(await ask(`/block/${last.seqno}`));
    expect(await ask(`/block/utime/${before}`)).toEqual(await ask(`/block/${last.seqno - 1}`));
    expect(await ask("/block/utime/1")).toEqual(await ask("/block/1"));
    for (const none of [0, -1, at + 1]) expect(await ask(`/block/utime/${none}`)).toEqual(noBlock);
    expect(await ask("/block/utime/soon")).toEqual(internalError);
  });
});

describe("v4.config", () => {
  const params = async (path: string) => {
    const [, { config }] = (await ask(path)) as [number, { config: { cell: string; address: string } }];
    expect(config.address).toBe(Address.parse(`-1:${"5".repeat(64)}`).toString());
    return [...ConfigDictionary.load(parseBocRoot(Buffer.from(config.cell, "base64")).parse()).keys()];
  };

  it("has all parameters, or those that are asked for and exist, negative ones too", async () => {
    const { seqno } = (await latest()).last;
    await service.run("devnet.setConfig", { param: -7, value: "te6cckEBAQEAAgAAAEysuc0=" });
    const changed = (await latest()).last.seqno;
    expect(await params(`/block/${changed}/config/-7,8,999,8`)).toEqual([-7, 8]);
    expect((await params(`/block/${changed}/config`)).length).toBeGreaterThan(20);
    expect(await params(`/block/${seqno}/config/8`)).toEqual([8]);
    expect(await ask(`/block/${seqno}/config/-7`)).toEqual(internalError);
    expect(await service.rpc("v4.config", { seqno, ids: [-7] })).toMatchObject({
      error: { message: "the configuration has none of these parameters" },
    });
  });

  it("is refused for texts that are no numbers, for too many, and for a block that is not there", async () => {
    for (const ids of ["x", "8,x", "4294967296", Array.from({ length: 257 }, (_, at) => at).join()])
      expect(await ask(`/block/1/config/${ids}`)).toEqual(internalError);
    expect(await ask("/block/0/config")).toEqual(noBlock);
    expect(await ask("/block/999999999/config")).toEqual(internalError);
  });
});

describe("paths of v4", () => {
  it("take the parameters of the path, also if the query has others of these names", async () => {
    expect(await ask("/block/1?seqno=0")).toEqual(await ask("/block/1"));
    expect(await ask("/block/1/config/8?ids=20")).toEqual(await ask("/block/1/config/8"));
  });

  it("that are none are refused in the form of v4", async () => {
    for (const path of ["/block", "/block/1/a/b/c/d/e/f", "/account/x/tx", "/nothing"])
      expect((await ask(path)).slice(0, 2)).toEqual([404, "404 Not Found"]);
    const { status, text, headers } = await service.post("/api/v4/block/1", {});
    expect([status, text, headers.get("Allow")]).toEqual([
      405,
      "405 Method Not Allowed",
      "GET, HEAD, OPTIONS",
    ]);
  });

  it("allow pages of other sites", async () => {
    const { headers } = await service.get("/api/v4/block/1");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("are described with their parameters", async () => {
    const { json } = await service.get("/api/v4/openapi.json");
    const { paths } = json as {
      paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>;
    };
    expect(Object.keys(paths)).toEqual([
      "/api/v4/block/latest",
      "/api/v4/block/{seqno}",
      "/api/v4/block/utime/{utime}",
      "/api/v4/block/{seqno}/config",
      "/api/v4/block/{seqno}/config/{ids}",
      "/api/v4/block/{seqno}/{address}",
      "/api/v4/block/{seqno}/{address}/lite",
      "/api/v4/block/{seqno}/{address}/changed/{lt}",
      "/api/v4/block/{seqno}/{address}/run/{command}",
      "/api/v4/block/{seqno}/{address}/run/{command}/{args}",
      "/api/v4/account/{address}/tx/{lt}/{hash}",
      "/api/v4/account/{address}/tx/parsed/{lt}/{hash}",
      "/api/v4/send",
    ]);
    const { get } = paths["/api/v4/account/{address}/tx/parsed/{lt}/{hash}"]!;
    expect(get!.parameters.map(({ name, in: place }) => [name, place])).toEqual([
      ["address", "path"],
      ["lt", "path"],
      ["hash", "path"],
      ["count", "query"],
    ]);
  });
});

describe("WebSockets of v4", () => {
  const open = (path: string) => openSocket(service.url, { path, headers: { "X-API-Key": service.key } });

  it("are sent the last block at once, and each new one", async () => {
    const socket = await open("/api/v4/block/watch");
    const { last, now } = await latest();
    expect(await socket.next()).toEqual({ seqno: last.seqno, time: now, now: expect.any(Number) });
    for (const seqno of [await service.mine(), await service.mine()])
      expect(await socket.next()).toMatchObject({ seqno });
    socket.close();
  });

  it("are sent the last transaction of each account that has one in the block", async () => {
    const socket = await open("/api/v4/block/watch/changed");
    const { last, now } = await latest();
    expect(await socket.next()).toMatchObject({ seqno: last.seqno, lastUtime: now });
    await service.run("devnet.faucet", { address: friend });
    const { seqno, changed } = (await socket.next()) as { seqno: number; changed: Record<string, object> };
    const { account } = await service.run<{ account: { last: object } }>("v4.account", {
      seqno,
      address: friend,
    });
    expect(changed[friend]).toEqual(account.last);
    socket.close();
  });

  it("are refused in the form of v4, without an upgrade and with a wrong key", async () => {
    const path = "/api/v4/block/watch";
    expect((await ask("/block/watch")).slice(0, 2)).toEqual([
      426,
      "426 Upgrade Required: this path speaks WebSocket",
    ]);
    const headers = { "X-API-Key": "nobody's" };
    const refused = await refusedHandshake(service.url, { path, headers });
    expect([refused.status, refused.body]).toEqual([401, "401 API key does not exist"]);
  });
});

describeWithChain("v4 at the first blocks of mainnet", (data) => {
  let app: ChainApp;
  beforeAll(async () => {
    app = await startChainApp(firstBlocks(data));
  });
  afterAll(() => app.close());
  const cached = async (path: string) => {
    const { status, headers } = await app.ask(`/api/v4${path}`);
    return [status, headers.get("Cache-Control")];
  };

  it("has every shard block in one masterchain block, over splits of shards", async () => {
    const found: string[] = [];
    for (let seqno = 1; seqno <= data.newest; seqno++) {
      const { json } = await app.ask(`/api/v4/block/${seqno}`);
      const { shards } = (json as Block).block;
      found.push(...shards.map((each) => `${each.workchain} ${each.shard} ${each.seqno}`));
    }
    const recorded = data
      .recordedBlocks()
      .filter(({ seqno }) => seqno > 0)
      .map(
        ({ workchain, shard, seqno }) => `${workchain} ${BigInt.asIntN(64, BigInt(`0x${shard}`))} ${seqno}`,
      );
    expect(found.sort()).toEqual(recorded.sort());
  });

  it("may be kept for a year by proxies, but what may change for seconds", async () => {
    const elector = Address.parse(`-1:${"3".repeat(64)}`).toString();
    expect(await cached("/block/latest")).toEqual([200, "public, must-revalidate, max-age=1"]);
    for (const path of [
      "/block/5",
      "/block/0",
      "/block/5/config",
      `/block/5/${elector}`,
      `/block/5/${elector}/lite`,
    ]) {
      expect([path, ...(await cached(path))]).toEqual([path, 200, year]);
      expect([path, ...(await cached(path))]).toEqual([path, 200, year]);
    }
    for (const path of [`/block/${data.newest + 1}`, "/block/utime/2000000000"])
      expect([path, ...(await cached(path))]).toEqual([path, 200, soon]);
    for (const path of ["/block/x", `/block/5/0:${"3".repeat(64)}`])
      expect([path, ...(await cached(path))]).toEqual([path, 500, "public, max-age=1"]);
    expect(await cached("/nothing")).toEqual([404, "no-store"]);
  });

  it("is forbidden at blocks that are older than the history", async () => {
    const lite = firstBlocks(data);
    const forgetful = await startChainApp({
      ...lite,
      lookupBlock: async (request, call) => {
        if (request.id.seqno === 5)
          throw new LiteError(651, "cannot find block (-1,8000000000000000) seqno=5: not in db");
        return lite.lookupBlock(request, call);
      },
    });
    const gone = async (path: string) => {
      const { status, text, headers } = await forgetful.ask(`/api/v4${path}`);
      return [status, text, headers.get("Cache-Control")];
    };
    const elector = Address.parse(`-1:${"3".repeat(64)}`).toString();
    for (const path of ["/block/5", `/block/5/${elector}`, `/block/5/${elector}/run/seqno`])
      expect(await gone(path)).toEqual([403, "403 Forbidden", "public, max-age=30"]);
    expect(await gone("/block/5/config")).toEqual([403, "403 Block is not available", "public, max-age=30"]);
    expect((await gone(`/block/999/${elector}`)).slice(0, 2)).toEqual([500, "500 Internal Error"]);
    await forgetful.close();
  });
});
