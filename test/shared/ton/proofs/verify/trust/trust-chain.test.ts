import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type LiteApi, LiteError } from "../../../../../../shared/ton/lite/lite-api.js";
import { ProofError } from "../../../../../../shared/ton/proofs/verify/proof-error.js";
import type { TrustProgress } from "../../../../../../shared/ton/proofs/verify/trust/sync-progress.js";
import {
  TrustChain,
  type TrustOptions,
} from "../../../../../../shared/ton/proofs/verify/trust/trust-chain.js";
import { verifyingLiteApi } from "../../../../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { type BlockIdExt, wholeShard } from "../../../../../../shared/ton/tlb/block-id.js";
import { blockAt } from "../../../../../helpers/chain/contract/target.js";
import { countedApi } from "../../../../../helpers/chain/counted-api.js";
import { KeyBlockChain } from "../../../../../helpers/chain/key-block-chain.js";
import { silent, trustFromZero, zeroStateOf } from "../../../../../helpers/chain/trusted.js";
import { temporaryFolder } from "../../../../../helpers/temporary-folder.js";

const month = 30 * 86_400;
/** Start time of the test chains. */
const zeroTime = 1_735_689_600;

const opened = new Map<string, Promise<KeyBlockChain>>();
afterAll(async () => {
  for (const chain of opened.values()) await (await chain).close();
});

/** The chain of this name, which the tests share, as to open one takes longer than most of them. */
function chainNamed(name: string, seed?: string): Promise<KeyBlockChain> {
  const chain = opened.get(name) ?? KeyBlockChain.open(seed);
  opened.set(name, chain);
  return chain;
}

/** A chain that has only its zero state again. Those of different names are forks, unless their seeds differ too. */
async function keyBlockChain(name = "first", seed?: string): Promise<KeyBlockChain> {
  const chain = await chainNamed(name, seed);
  await chain.revert(0);
  return chain;
}

const fork = () => keyBlockChain("fork");
const otherNetwork = () => keyBlockChain("other", "another");

/** A key block, as every chain begins, a block, 16 key blocks and a block: one link more than an answer has. It is only read. */
async function longChain(): Promise<KeyBlockChain> {
  const isNew = !opened.has("long");
  const chain = await chainNamed("long");
  if (isNew) {
    await chain.blocks(2);
    await chain.keyBlocks(16);
    await chain.blocks(1);
  }
  return chain;
}

/** A directory, and the log lines written. */
function witness() {
  const told: { level: string; text: string; facts: object }[] = [];
  const tell = (level: string) => (facts: object, text: string) => told.push({ level, text, facts });
  const log = { info: tell("info"), warn: tell("warn") } as unknown as TrustOptions["log"];
  return { directory: temporaryFolder(), log, told, now: () => zeroTime + 1000 };
}

function fileIn(directory: string) {
  return JSON.parse(readFileSync(join(directory, "trust.json"), "utf8"));
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const hashes = (id: BlockIdExt) => ({ root_hash: base64(id.rootHash), file_hash: base64(id.fileHash) });

describe("trust", () => {
  test("leads from the zero state through every key block to the newest block", async () => {
    const chain = await longChain();
    const progress: TrustProgress[] = [];
    const texts: (string | undefined)[] = [];
    const info = (step: TrustProgress, text?: string) => {
      progress.push(step);
      texts.push(text);
      expect([trust.progress, trust.head]).toEqual([step, undefined]);
    };
    const trust = await trustFromZero(chain.api, { log: { info, warn() {} } as TrustOptions["log"] });
    expect([trust.progress, trust.head]).toEqual([undefined, undefined]);
    const { last } = await trust.newest(chain.api, {});
    expect([trust.progress, trust.head]).toEqual([undefined, last]);
    expect(trust.keyBlock).toEqual(await blockAt(chain.api, 18));
    expect(progress).toEqual([{ keyBlock: 17, proven: 16, about: 18 }]);
    expect(texts).toEqual(["key block 16 of about 18"]);
  });

  test("has a head once a server has proven its newest block, which is then asked of nobody", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(1);
    const trust = await trustFromZero(chain.api);
    const asked: string[] = [];
    const counted = countedApi(chain.api, asked);
    const head = await trust.headFor(counted, {});
    expect(head).toEqual(await blockAt(chain.api, 1));
    expect(asked).toContain("getMasterchainInfo");
    asked.length = 0;
    expect(await trust.headFor(counted, {})).toEqual(head);
    expect(asked).toEqual([]);
  });

  test("includes the state hash and the time of a server's newest block", async () => {
    const chain = await keyBlockChain();
    await chain.blocks(1);
    const trust = await trustFromZero(chain.api);
    const info = await chain.api.getMasterchainInfo();
    expect(await trust.proveInfo(chain.api, info, {})).toEqual({ genUtime: zeroTime + 1 });
    const lie = { ...info, stateRootHash: new Uint8Array(32) };
    await expect(trust.proveInfo(chain.api, lie, {})).rejects.toThrow(
      "wrong state hash of (-1,8000000000000000,1)",
    );
  });

  test("is of masterchain blocks only", async () => {
    const chain = await keyBlockChain();
    const trust = await trustFromZero(chain.api);
    const other = { ...(await zeroStateOf(chain.api)), workchain: 0 };
    await expect(trust.prove(chain.api, other, {})).rejects.toThrow(
      "(0,8000000000000000,0) is not of the masterchain",
    );
  });

  test("knows its earlier key blocks without a proof", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(2);
    const { directory } = witness();
    await (await trustFromZero(chain.api, { directory })).newest(chain.api, {});
    const trust = await trustFromZero(chain.api, { directory });
    await chain.keyBlocks(1);
    await trust.newest(chain.api, {});
    expect(trust.keyBlock.seqno).toBe(3);
    const asked: string[] = [];
    for (const seqno of [2, 3])
      await trust.prove(countedApi(chain.api, asked), await blockAt(chain.api, seqno), {});
    await trust.prove(countedApi(chain.api, asked), await zeroStateOf(chain.api), {});
    expect(asked).toEqual([]);
  });

  test("asks for proofs from its own key block, and for no others from a server without progress", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(1);
    const trust = await trustFromZero(chain.api);
    const idle: LiteApi = {
      ...chain.api,
      async getBlockProof(request, call) {
        expect(request).toMatchObject({ knownBlock: trust.keyBlock, baseOnGiven: true });
        return { ...(await chain.api.getBlockProof(request, call)), steps: [], complete: false };
      },
    };
    await expect(trust.newest(idle, {})).rejects.toBeInstanceOf(ProofError);
    expect([trust.head, trust.keyBlock.seqno]).toEqual([undefined, 0]);
  });

  test("takes one request for each further block, and none for a proven block", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(1);
    const trust = await trustFromZero(chain.api);
    const asked: string[] = [];
    const counted = countedApi(chain.api, asked);
    await trust.newest(counted, {});
    await chain.blocks(1);
    asked.length = 0;
    await trust.newest(counted, {});
    expect(asked.sort()).toEqual(["getBlockHeader", "getBlockProof", "getMasterchainInfo"]);
    asked.length = 0;
    await trust.newest(counted, {});
    expect(asked).toEqual(["getMasterchainInfo"]);
  });

  test("reads the validators of a key block once", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(2);
    const trust = await trustFromZero(chain.api);
    await trust.newest(chain.api, {});
    await chain.blocks(1);
    await trust.newest(chain.api, {});
    await chain.blocks(1);
    const blind: LiteApi = {
      ...chain.api,
      async getBlockProof(request, call) {
        const answer = await chain.api.getBlockProof(request, call);
        return {
          ...answer,
          steps: answer.steps.map((link) => ({ ...link, configProof: new Uint8Array(0) })),
        };
      },
    };
    const { last } = await trust.newest(blind, {});
    expect(trust.head).toEqual(last);
  });

  test("is shared by servers: proven blocks need no second proof, and a lie affects only the lying server", async () => {
    const chain = await longChain();
    const trust = await trustFromZero(chain.api);
    const liar: LiteApi = {
      ...chain.api,
      getBlockProof: async (request, call) => {
        const answer = await chain.api.getBlockProof(request, call);
        const [first, ...rest] = answer.steps;
        return { ...answer, steps: [{ ...first!, toKeyBlock: !first!.toKeyBlock }, ...rest] };
      },
    };
    const outcomes = await Promise.allSettled([
      trust.newest(liar, {}),
      trust.newest(chain.api, {}),
      trust.newest(chain.api, {}),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect((outcomes[0] as PromiseRejectedResult).reason).toBeInstanceOf(ProofError);
    // The liar may name the block now that it is proven.
    expect((await trust.newest(liar, {})).last).toEqual(trust.head);
  });

  test("does not wait for a slow server", async () => {
    const chain = await longChain();
    const timeouts: (() => void)[] = [];
    const timers = {
      after(_: number, callback: () => void) {
        timeouts.push(callback);
        return () => {};
      },
    };
    const trust = await trustFromZero(chain.api, { timers });
    let tellAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve;
    });
    const controller = new AbortController();
    const silentOne: LiteApi = {
      ...chain.api,
      getBlockProof: () => {
        tellAsked();
        return new Promise((_, reject) => {
          controller.signal.addEventListener("abort", () => reject(new LiteError(653, "cancelled")));
        });
      },
    };
    const lost = trust.newest(silentOne, {});
    await asked;
    const found = trust.newest(chain.api, {});
    await chain.api.getTime();
    expect(trust.head).toBeUndefined();
    for (const end of timeouts) end();
    expect((await found).last).toEqual(trust.head);
    controller.abort();
    await expect(lost).rejects.toThrow("cancelled");
  });

  test("accepts one block per seqno, and its head never decreases", async () => {
    const chain = await keyBlockChain();
    await chain.blocks(3);
    const trust = await trustFromZero(chain.api);
    await trust.newest(chain.api, {});
    const head = trust.head!;
    const fork = { ...head, rootHash: new Uint8Array(32).fill(7) };
    await expect(trust.prove(chain.api, fork, {})).rejects.toThrow(
      /^\(-1,8000000000000000,3\):0707.* is not of this chain$/,
    );
    await trust.prove(chain.api, await blockAt(chain.api, 1), {});
    expect(trust.head).toEqual(head);
  });

  test("rejects the server of another network", async () => {
    const chain = await keyBlockChain();
    const other = await otherNetwork();
    await chain.blocks(1);
    await other.blocks(1);
    const trust = await trustFromZero(chain.api);
    await expect(trust.newest(other.api, {})).rejects.toThrow("the server is of another network");
    const pretending: LiteApi = {
      ...other.api,
      getMasterchainInfo: async () => ({
        ...(await other.api.getMasterchainInfo()),
        init: (await chain.api.getMasterchainInfo()).init,
      }),
    };
    await expect(trust.newest(pretending, {})).rejects.toBeInstanceOf(LiteError);
    expect(trust.head).toBeUndefined();
  });

  test("warns if it starts at a block whose validators have no stakes any more", async () => {
    const chain = await keyBlockChain();
    await chain.blocks(1);
    const { log, told } = witness();
    const trust = await trustFromZero(chain.api, { log, now: () => zeroTime + 2 * month });
    await trust.newest(chain.api, {});
    const text =
      "trust starts at a block that is 60 days old: the validators after it have no stakes any more; " +
      "proving some 159 key blocks takes about 4 s";
    expect(told).toEqual([{ level: "warn", facts: { keyBlock: 0, days: 60 }, text }]);
  });
});

describe("trust.json", () => {
  test("is written with every new key block and read at the next start", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(3);
    const { directory, log, told, now } = witness();
    const trust = await trustFromZero(chain.api, { directory, log, now });
    await trust.newest(chain.api, {});
    const zeroState = await zeroStateOf(chain.api);
    const keyBlock = await blockAt(chain.api, 3);
    expect(fileIn(directory)).toEqual({
      format: 1,
      network: "test",
      zero_state: hashes(zeroState),
      start: { seqno: 0, ...hashes(zeroState) },
      key_block: { seqno: 3, ...hashes(keyBlock), gen_utime: expect.any(Number) },
      verified_at: now(),
    });
    expect(readdirSync(directory)).toEqual(["trust.json"]);
    const again = await trustFromZero(chain.api, { directory, log, now });
    expect(again.keyBlock).toEqual(keyBlock);
    expect(told).toEqual([]);
    await chain.keyBlocks(1);
    await again.newest(chain.api, {});
    expect(fileIn(directory).key_block.seqno).toBe(4);
  });

  test("of another network stops the start", async () => {
    const chain = await keyBlockChain();
    const other = await otherNetwork();
    await chain.keyBlocks(1);
    const { directory } = witness();
    await (await trustFromZero(chain.api, { directory })).newest(chain.api, {});
    await expect(trustFromZero(other.api, { directory })).rejects.toThrow(
      new RegExp(
        `^${directory}/trust.json is of another network, test with the zero state ` +
          String.raw`\(-1,8000000000000000,0\):\w+:\w+, not test with \(-1,.+: name another folder with --data, or move the file away$`,
      ),
    );
  });

  test.each([
    ["is no JSON", "{"],
    ["has another format", JSON.stringify({ format: 2 })],
    ["has a hash of the wrong length", undefined],
  ])("is renamed if it %s", async (_, text) => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(1);
    const { directory, log, told } = witness();
    await (await trustFromZero(chain.api, { directory, log })).newest(chain.api, {});
    const file = fileIn(directory);
    const bad = text ?? JSON.stringify({ ...file, zero_state: { ...file.zero_state, root_hash: "AAAA" } });
    writeFileSync(join(directory, "trust.json"), bad);
    const trust = await trustFromZero(chain.api, { directory, log });
    expect(trust.keyBlock).toEqual(await zeroStateOf(chain.api));
    expect(readFileSync(join(directory, "trust.json.bad"), "utf8")).toBe(bad);
    const renamed = "trust.json is invalid and was renamed to trust.json.bad: the chain is proven again";
    expect(told).toEqual([{ level: "warn", text: renamed, facts: { problem: expect.stringMatching(/./) } }]);
    await trust.newest(chain.api, {});
    expect(fileIn(directory)).toEqual(file);
  });

  test("is renamed if it is not a file, and stops the start if that fails", async () => {
    const chain = await keyBlockChain();
    const { directory, log, told } = witness();
    mkdirSync(join(directory, "trust.json", "in it"), { recursive: true });
    await trustFromZero(chain.api, { directory, log });
    expect([readdirSync(directory), told.length]).toEqual([["trust.json.bad"], 1]);
    writeFileSync(join(directory, "trust.json"), "{");
    await expect(trustFromZero(chain.api, { directory, log })).rejects.toThrow(
      /trust\.json is invalid \(.+\) and cannot be renamed \(EISDIR.+\): remove it$/,
    );
  });

  test("is superseded by a newer start block of the configuration", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(1);
    const { directory, log, told } = witness();
    const before = await trustFromZero(chain.api, { directory });
    await before.newest(chain.api, {});
    await before.keepHead(before.head!);
    await trustFromZero(chain.api, { directory, start: await blockAt(chain.api, 1), log });
    expect(told).toEqual([]);
    await chain.keyBlocks(2);
    const start = await blockAt(chain.api, 3);
    const trust = await trustFromZero(chain.api, { directory, start, log });
    expect(trust.keyBlock).toEqual(start);
    expect(trust.floor).toEqual(before.head);
    expect(told).toEqual([
      { level: "info", text: "trust starts at the newer block of the configuration", facts: { start: 3 } },
    ]);
    await chain.keyBlocks(1);
    await trust.newest(chain.api, {});
    expect(fileIn(directory)).toMatchObject({ start: { seqno: 3 }, key_block: { seqno: 4 } });
  });

  test("may be of a block whose validators have no stakes any more, of which its reader is warned", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(1);
    const { directory, log, told } = witness();
    await (await trustFromZero(chain.api, { directory, log })).newest(chain.api, {});
    await trustFromZero(chain.api, { directory, log, now: () => zeroTime + 2 * month });
    expect(told).toMatchObject([{ level: "warn", facts: { keyBlock: 1, days: 59 } }]);
  });

  test("is kept if a server cannot prove that the configuration's start is of its chain", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(3);
    const { directory, log, told } = witness();
    await (await trustFromZero(chain.api, { directory })).newest(chain.api, {});
    const before = fileIn(directory);
    const start = await blockAt(chain.api, 2);
    const trust = await trustFromZero(chain.api, { directory, start, log });
    const unproven: LiteApi = {
      ...chain.api,
      lookupBlockWithProof: async (request, call) => ({
        ...(await chain.api.lookupBlockWithProof(request, call)),
        header: new Uint8Array(0),
      }),
    };
    await expect(trust.newest(unproven, {})).rejects.toThrow("invalid bag of cells");
    expect([told, fileIn(directory)]).toEqual([[], before]);
  });

  test("is kept if the configuration names another block of its chain as the start", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(3);
    const { directory, log, told } = witness();
    await (await trustFromZero(chain.api, { directory })).newest(chain.api, {});
    const start = await blockAt(chain.api, 2);
    const trust = await trustFromZero(chain.api, { directory, start, log });
    await trust.newest(chain.api, {});
    expect(told).toEqual([]);
    expect(fileIn(directory)).toMatchObject({
      start: { seqno: 2, ...hashes(start) },
      key_block: { seqno: 3 },
    });
  });

  test("is replaced if the start block of the configuration is not of its chain", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(3);
    const { directory, log, told } = witness();
    await (await trustFromZero(chain.api, { directory })).newest(chain.api, {});
    const start = { ...(await blockAt(chain.api, 2)), rootHash: new Uint8Array(32).fill(9) };
    const trust = await trustFromZero(chain.api, { directory, start, log });
    // The start block is not of the server's chain.
    await expect(trust.newest(chain.api, {})).rejects.toThrow();
    const replaced = "trust.json is of another chain than the configuration and is replaced";
    expect(told).toEqual([{ level: "warn", text: replaced, facts: { start: 2 } }]);
    expect(trust.keyBlock).toEqual(start);
    expect(fileIn(directory)).toMatchObject({ start: hashes(start), key_block: hashes(start) });
  });

  test("is replaced if the liteservers have another chain", async () => {
    const [given, kept] = [await keyBlockChain(), await fork()];
    await given.keyBlocks(3);
    const { directory, log, told } = witness();
    await (await trustFromZero(given.api, { directory })).newest(given.api, {});
    await kept.blocks(1);
    const trust = await trustFromZero(kept.api, { directory, log });
    // A server that does not have the seqno may lag.
    await expect(trust.newest(kept.api, {})).rejects.toThrow(LiteError);
    expect([told, trust.keyBlock]).toEqual([[], await blockAt(given.api, 3)]);
    await kept.keyBlocks(3);
    await trust.newest(kept.api, {});
    expect(told.map(({ text }) => text)).toEqual([
      "trust.json is of another chain than the liteservers and is replaced",
    ]);
    expect(fileIn(directory).key_block).toMatchObject({ seqno: 4, ...hashes(await blockAt(kept.api, 4)) });
  });

  test("survives a server that claims another key block", async () => {
    const [chain, other] = [await keyBlockChain(), await fork()];
    const { directory, log, told } = witness();
    await chain.keyBlocks(3);
    await (await trustFromZero(chain.api, { directory })).newest(chain.api, {});
    await other.blocks(1);
    await other.keyBlocks(2);
    const [before, keyBlock] = [fileIn(directory), await blockAt(chain.api, 3)];
    const claiming = (id: BlockIdExt): LiteApi => ({
      ...chain.api,
      lookupBlock: async () => ({ id, headerProof: new Uint8Array(0) }),
    });
    const forked = claiming(await blockAt(other.api, 3));
    const proofOfAnother: LiteApi["getBlockProof"] = async ({ targetBlock, ...request }, call) =>
      chain.api.getBlockProof(
        { ...request, targetBlock: await blockAt(chain.api, targetBlock!.seqno) },
        call,
      );
    const liars: [LiteApi, new (...of: never[]) => Error, RegExp][] = [
      // Without a proof, with a proof of another block, and with another seqno.
      [forked, LiteError, /./],
      [{ ...forked, getBlockProof: proofOfAnother }, ProofError, /./],
      [claiming(await blockAt(chain.api, 1)), ProofError, /^\(-1,8000000000000000,1\) was not requested$/],
    ];
    for (const [liar, kind, message] of liars) {
      const trust = await trustFromZero(chain.api, { directory, log });
      const claimed = trust.newest(liar, {});
      await expect(claimed).rejects.toBeInstanceOf(kind);
      await expect(claimed).rejects.toThrow(message);
      expect([told, trust.keyBlock, fileIn(directory)]).toEqual([[], keyBlock, before]);
      await chain.blocks(1);
      await trust.newest(chain.api, {});
      expect([told, trust.keyBlock]).toEqual([[], keyBlock]);
    }
  });

  test("that cannot be written is only logged", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(1);
    const { directory, log, told } = witness();
    const trust = await trustFromZero(chain.api, { directory, log });
    rmSync(directory, { recursive: true });
    writeFileSync(directory, "in the way");
    expect((await trust.newest(chain.api, {})).last).toEqual(trust.head);
    expect(told).toEqual([
      {
        level: "warn",
        text: "trust.json cannot be written: the next start takes longer",
        facts: { reason: `${directory} cannot be a folder: ${directory} is a file` },
      },
    ]);
  });

  test("is optional: without a directory, trust lasts as long as the process", async () => {
    const chain = await keyBlockChain();
    await chain.keyBlocks(1);
    const zeroState = await zeroStateOf(chain.api);
    const trust = await TrustChain.open({
      network: "test",
      zeroState,
      start: zeroState,
      log: silent,
      now: () => 0,
    });
    const { last } = await verifyingLiteApi(chain.api, trust).getMasterchainInfo();
    expect(last).toEqual({ ...trust.keyBlock, shard: wholeShard });
  });
});
