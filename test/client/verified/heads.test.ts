import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { http, type RpcError, type TransportFactory } from "../../../client/index.js";
import { anchors } from "../../../client/verified/anchors.js";
import {
  memoryStorage,
  ProofError,
  type Revert,
  type VerifiedClient,
  type VerifiedClientOptions,
} from "../../../client/verified/index.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { queryFrom } from "../../../shared/ton/tl/lite-functions.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { zeroStateOf } from "../../helpers/chain/trusted.js";
import { sized, variants } from "../../helpers/effort.js";
import { flippedAt } from "../../helpers/peers/lite-lies.js";
import { liteQueryService } from "../../helpers/peers/lite-query-service.js";
import { type LiteLie, LyingTonwire } from "../../helpers/peers/lying-tonwire.js";
import { clientOf, onlyOf } from "./lied-client.js";

// A newest block that was proven is the floor of later ones: services may hide newer blocks, by lag or by intent.

const reads = sized(4, 40);
const payee = new Address(0, new Uint8Array(32).fill(0xaa));
const address = payee.toRaw();

/** A chain of three blocks, which each test makes longer; some tests remove its first blocks and close it. */
let chain: KeyBlockChain;
let isWhole = false;
beforeEach(async () => {
  if (isWhole) return chain.revert(3);
  chain = await KeyBlockChain.open();
  isWhole = true;
  await chain.keyBlocks(2);
  await pay(1);
});
afterAll(() => chain?.close());

/** A block in which the payee has another balance. */
const pay = (balance: number) => chain.setBalance(payee, BigInt(balance));
const newest = async () => (await chain.api.getMasterchainInfo()).last;
const balanceOf = (client: VerifiedClient) => client.getAddressBalance({ address });
/** The balance, or the code of the error. */
const read = (client: VerifiedClient) =>
  balanceOf(client).then(Number, (error: RpcError) => `${error.code}${error.retryable ? ", retryable" : ""}`);

async function services(count: number) {
  return Promise.all(
    Array.from({ length: count }, async () =>
      LyingTonwire.before(new URL((await liteQueryService(chain.api)).url).origin),
    ),
  );
}

const urlsOf = (all: readonly LyingTonwire[]) => all.map(({ url }) => `${url}/jsonRPC`);

/** Replays the newest block of this time. */
async function replayOfNow(): Promise<LiteLie> {
  const info = await chain.api.getMasterchainInfo();
  return onlyOf("getMasterchainInfo", (exchange) => exchange.encode(info));
}

/** The function of a query in the parameters of `lite.query`. */
function methodOf(params: string): string {
  return queryFrom(wire.decode(Buffer.from(JSON.parse(params).query, "base64"))).method;
}

/** A promise, and what resolves it. */
function gate(): [Promise<void>, () => void] {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}

const refused = "unavailable, retryable";

describe("with a network, a proven newest block", () => {
  /** A client of the chain as if it were the one of the package. */
  async function networkClient(
    all: readonly LyingTonwire[],
    storage = memoryStorage(),
    options: Partial<VerifiedClientOptions> = {},
  ) {
    const zero = presentBlockId(await zeroStateOf(chain.api));
    const own = anchors as { testnet: object };
    const { testnet } = own;
    own.testnet = { zero, start: zero };
    onTestFinished(() => {
      own.testnet = testnet;
    });
    return clientOf(chain.api, urlsOf(all), {
      trustedBlock: undefined,
      network: "testnet",
      maxHeadAgeSec: false,
      headMs: 0,
      storage,
      ...options,
    });
  }

  test("is not replaced by an older one", async () => {
    const [liar] = (await services(1)) as [LyingTonwire];
    const client = await networkClient([liar]);
    const older = await replayOfNow();
    expect(await read(client)).toBe(1);
    await pay(2);
    expect(await read(client)).toBe(2);
    liar.lie = older;
    const ends = new Set();
    for (let count = 0; count < reads; count++) ends.add(await read(client));
    expect([...ends]).toEqual([refused]);
    const error = await balanceOf(client).catch((each: RpcError) => each);
    expect((error as RpcError).shortMessage).toBe(
      "the service's newest block, 3, does not follow block 4, which was proven before: the service lags, or hides newer blocks",
    );
    liar.lie = undefined;
    expect(await read(client)).toBe(2);
    await pay(3);
    expect(await read(client)).toBe(3);
  });

  test("comes from another service if one is behind", async () => {
    const all = (await services(2)) as [LyingTonwire, LyingTonwire];
    const client = await networkClient(all);
    const older = await replayOfNow();
    await pay(2);
    expect(await read(client)).toBe(2);
    const ends = new Set();
    for (let count = 0; count < reads; count++) {
      all[count % 2]!.lie = older;
      all[(count + 1) % 2]!.lie = undefined;
      ends.add(await read(client));
    }
    expect([...ends]).toEqual([2]);
    for (const each of all) each.lie = older;
    for (const each of all) each.asked.length = 0;
    expect(await read(client)).toBe(refused);
    for (const { asked } of all) expect(asked).toContain("getMasterchainInfo");
  });

  test("is the floor of the next start", async () => {
    const [liar] = (await services(1)) as [LyingTonwire];
    const storage = memoryStorage();
    const older = await replayOfNow();
    await pay(2);
    expect(await read(await networkClient([liar], storage))).toBe(2);
    liar.lie = older;
    const client = await networkClient([liar], storage);
    expect(await read(client)).toBe(refused);
    expect(await read(await networkClient([liar]))).toBe(1);
    liar.lie = undefined;
    expect(await read(client)).toBe(2);
  });

  test("is no floor of calls that began before it", async () => {
    const [liar] = (await services(1)) as [LyingTonwire];
    const [released, release] = gate();
    const [isAsked, asked] = gate();
    let isSlow = false;
    // Before calls are put into batches, which would hold all of them.
    const transport: TransportFactory = (context) => {
      const asking = http(`${liar.url}/jsonRPC`)(context);
      return {
        async request(call) {
          if (isSlow && methodOf(call.params) === "getBlockHeader") {
            isSlow = false;
            asked();
            await released;
          }
          return asking.request(call);
        },
        close: () => asking.close(),
      };
    };
    const client = await networkClient([], undefined, { transport });
    expect(await read(client)).toBe(1);
    isSlow = true;
    await pay(2);
    const slow = read(client);
    await isAsked;
    await pay(3);
    expect(await read(client)).toBe(3);
    release();
    expect(await slow).toBe(2);
    expect(await read(client)).toBe(3);
  });
});

describe("without a network, a newest block that does not follow the proven one", () => {
  type Reported = { revert: Revert; asked: number };

  /** A client that notes reverts, with the number of accounts that were read before each. */
  async function watching(all: readonly LyingTonwire[], storage = memoryStorage()) {
    const told: Reported[] = [];
    const accounts = () =>
      all.flatMap(({ asked }) => asked).filter((each) => each === "getAccountState").length;
    const client = await clientOf(chain.api, urlsOf(all), {
      headMs: 0,
      storage,
      onRevert: (revert) => void told.push({ revert, asked: accounts() }),
    });
    return { client, told, accounts };
  }

  const between = (from: BlockIdExt, to: BlockIdExt): Revert => ({
    from: presentBlockId(from),
    to: presentBlockId(to),
  });

  /** The kinds of reverts: what happens to a chain of two key blocks and four others, of which the last has seqno 6. */
  const kinds: [string, () => Promise<void>][] = [
    ["is older", () => chain.revert(4)],
    ["is the one before", () => chain.revert(5)],
    ["is as high as before", () => regrown(4, 2)],
    ["is lower on another branch", () => regrown(3, 1)],
    ["is higher on another branch", () => regrown(4, 7)],
    ["is before the last key block", () => shortened(1)],
    ["is on a branch before the last key block", () => regrown(1, 9)],
    ["is on a branch with other key blocks", () => regrown(0, 3, 2)],
  ];

  async function regrown(seqno: number, blocks: number, keyBlocks = 0): Promise<void> {
    await shortened(seqno);
    await chain.keyBlocks(keyBlocks);
    for (let count = 1; count <= blocks; count++) await pay(70 + count);
  }

  async function shortened(seqno: number): Promise<void> {
    await chain.revert(seqno);
    if (seqno >= 3) return;
    isWhole = false;
    onTestFinished(() => chain.close());
  }

  const grow = async () => {
    for (let balance = 2; balance <= 4; balance++) await pay(balance);
  };

  const states = async () => {
    const answer: (number | string)[] = [];
    const { seqno } = await newest();
    const client = await clientOf(chain.api, urlsOf(await services(1)));
    for (let at = 1; at <= seqno; at++) answer.push(await client.getAddressBalance({ address, seqno: at }));
    return answer;
  };

  const first = kinds.filter(([title]) => title === "is higher on another branch");
  test.each(
    variants(
      first,
      kinds.filter((each) => !first.includes(each)),
    ),
  )("%s is reported before it is used, and everything is read from it", async (_, revert) => {
    await grow();
    const all = await services(1);
    const { client, told, accounts } = await watching(all);
    expect(await read(client)).toBe(4);
    // Blocks that are known by their seqno.
    for (let seqno = 1; seqno <= 6; seqno++) await client.getAddressBalance({ address, seqno });
    const [from, before] = [await newest(), accounts()];
    await revert();
    const expected = await states();
    const balance = await balanceOf(client);
    expect(told).toEqual([{ revert: between(from, await newest()), asked: before }]);
    expect(balance).toBe(expected.at(-1));
    for (const [at, each] of expected.entries())
      expect(await client.getAddressBalance({ address, seqno: at + 1 })).toBe(each);
    await pay(90);
    expect(await read(client)).toBe(90);
    expect(told).toHaveLength(1);
  });

  const started = kinds.filter(([title]) => title === "is on a branch before the last key block");
  const others = kinds.filter((each) => !started.includes(each));
  test.each(variants(started, others))("%s is reported at the next start", async (_, revert) => {
    await grow();
    const all = await services(1);
    const storage = memoryStorage();
    expect(await read((await watching(all, storage)).client)).toBe(4);
    const from = await newest();
    await revert();
    const { client, told } = await watching(all, storage);
    expect(await balanceOf(client)).toBe((await states()).at(-1));
    expect(told.map((each) => each.revert)).toEqual([between(from, await newest())]);
    const again = await watching(all, storage);
    await balanceOf(again.client);
    expect(again.told).toEqual([]);
  });

  test("is also a replay, which is reported each time, and nothing else is", async () => {
    const all = (await services(1)) as [LyingTonwire];
    const { client, told } = await watching(all);
    const older = await replayOfNow();
    await pay(2);
    for (let count = 0; count < reads; count++) {
      all[0].lie = count % 4 === 3 ? older : undefined;
      expect(await read(client)).toBe(count % 4 === 3 ? 1 : 2);
    }
    expect(told).toHaveLength(reads / 4);
    all[0].lie = undefined;
    for (let count = 0; count < reads; count++) {
      await pay(100 + count);
      expect(await read(client)).toBe(100 + count);
    }
    expect(told).toHaveLength(reads / 4);
  });

  test("is reported once to calls at the same time", async () => {
    const all = await services(1);
    const { client, told } = await watching(all);
    await pay(2);
    expect(await read(client)).toBe(2);
    await chain.revert(3);
    expect(await Promise.all([read(client), read(client), read(client)])).toEqual([1, 1, 1]);
    expect(told).toHaveLength(1);
  });

  test("is not used if the program throws", async () => {
    const all = (await services(1)) as [LyingTonwire];
    const older = await replayOfNow();
    await pay(2);
    const client = await clientOf(chain.api, urlsOf(all), {
      headMs: 0,
      onRevert: () => {
        throw new Error("this is no devnet");
      },
    });
    expect(await read(client)).toBe(2);
    all[0].lie = older;
    for (let count = 0; count < 3; count++)
      await expect(balanceOf(client)).rejects.toThrow("this is no devnet");
    all[0].lie = undefined;
    expect(await read(client)).toBe(2);
  });

  test("is no revert while another service has the proven one", async () => {
    const all = (await services(2)) as [LyingTonwire, LyingTonwire];
    const { client, told } = await watching(all);
    const older = await replayOfNow();
    await pay(2);
    expect(await read(client)).toBe(2);
    for (const each of all) {
      each.lie = older;
      expect(await read(client)).toBe(2);
      each.lie = undefined;
    }
    expect(told).toEqual([]);
  });

  test("is refused if it is not proven, and the floor stays", async () => {
    const all = (await services(1)) as [LyingTonwire];
    const { client, told } = await watching(all);
    const info = await chain.api.getMasterchainInfo();
    await pay(2);
    expect(await read(client)).toBe(2);
    all[0].lie = onlyOf("getMasterchainInfo", (exchange) =>
      exchange.encode({ ...info, stateRootHash: new Uint8Array(32).fill(7) }),
    );
    await expect(balanceOf(client)).rejects.toBeInstanceOf(ProofError);
    all[0].lie = onlyOf("lookupBlockWithProof", flippedAt(0.5));
    await pay(3);
    await expect(balanceOf(client)).rejects.toBeInstanceOf(ProofError);
    all[0].lie = undefined;
    expect(await read(client)).toBe(3);
    expect(told).toEqual([]);
  });

  test("is used without the option", async () => {
    const all = (await services(1)) as [LyingTonwire];
    const client = await clientOf(chain.api, urlsOf(all), { headMs: 0 });
    await pay(2);
    expect(await read(client)).toBe(2);
    await chain.revert(3);
    expect(await read(client)).toBe(1);
    await pay(7);
    expect(await read(client)).toBe(7);
  });
});
