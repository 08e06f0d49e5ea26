import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { http, isRpcError } from "../../../client/index.js";
import {
  createVerifiedClient,
  memoryStorage,
  ProofError,
  type ProofProgress,
  type VerifiedClient,
  type VerifiedClientOptions,
} from "../../../client/verified/index.js";
import { accountHandlers } from "../../../server/methods/v2/accounts.js";
import { blockHandlers } from "../../../server/methods/v2/blocks.js";
import { configHandlers } from "../../../server/methods/v2/config.js";
import { transactionHandlers } from "../../../server/methods/v2/transactions.js";
import { type LiteApi, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import { readAccountBlock } from "../../../shared/ton/proofs/read/block-transactions.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import type { MessageEnds } from "../../../shared/ton/proofs/read/locate-transaction.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { decodeAnswer, encodeAnswer, encodeError, queryOf } from "../../../shared/ton/tl/lite-functions.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { Address } from "../../../shared/values/address.js";
import { tgWalletParam } from "../../../shared/values/tg-wallet.js";
import { busyChain } from "../../helpers/chain/busy-chain.js";
import { learn, type Sample, type Target } from "../../helpers/chain/contract/target.js";
import { zeroStateOf } from "../../helpers/chain/trusted.js";
import { isLong, sized } from "../../helpers/effort.js";
import { noRunner } from "../../helpers/http/chain-app.js";
import { type Lie, liteQueryService } from "../../helpers/peers/lite-query-service.js";

let target: Target;
let sample: Sample;
let zero: BlockIdExt;
/** A message that an account has received. */
let message: MessageEnds;
beforeAll(async () => {
  target = await busyChain();
  sample = await learn(target.api);
  zero = await zeroStateOf(target.api);
  message = await receivedMessage();
});
afterAll(() => target.close?.());

type Options = Partial<VerifiedClientOptions> & { lie?: Lie };

async function opened({ lie, ...options }: Options = {}) {
  const service = await liteQueryService(target.api, lie && { lie });
  return { ...service, client: clientOf([service.url], options) };
}

function clientOf(urls: readonly string[], options: Partial<VerifiedClientOptions> = {}): VerifiedClient {
  return createVerifiedClient({
    transport: urls.map((url) => http(url)),
    trustedBlock: presentBlockId(zero),
    storage: memoryStorage(),
    ...options,
  });
}

async function receivedMessage(): Promise<MessageEnds> {
  for (const { lt, account, block } of sample.transactions) {
    const address = new Address(account.workchain, account.id);
    const found = await readAccountBlock(target.api, block, address);
    const { transaction } = found.find((each) => each.transaction.lt === lt)!;
    const info = transaction.messages.value.inMsg?.value.info;
    const [source, destination] = info?.kind === "internal" ? [info.src, info.dest].map(accountOf) : [];
    if (source && destination && info?.kind === "internal")
      return { source, destination, createdLt: info.createdLt };
  }
  throw new Error("no account has received a message");
}

const addressOf = ({ recent }: Sample) => new Address(recent.account.workchain, recent.account.id);

/** The answer of a service's handlers on the same chain. */
async function byService(name: string, params: object): Promise<unknown> {
  const { last, init } = await target.api.getMasterchainInfo();
  const head = new ChainHead({ last, init }, () => 0);
  const deps = { reader: new ChainReader({ lite: target.api, head }), runner: noRunner } as never;
  const handlers = { ...accountHandlers, ...blockHandlers, ...configHandlers, ...transactionHandlers };
  const handler = handlers[name as keyof typeof handlers] as (...args: unknown[]) => Promise<unknown>;
  return handler(params, deps, {});
}

/** Calls of the client, and the parameters that a service reads from them. */
function questions(): [name: string, params: object, read: object][] {
  const address = addressOf(sample);
  const text = address.toFriendly();
  const { workchain, shard, seqno } = sample.last;
  const signed = BigInt.asIntN(64, shard);
  const { source, destination, createdLt } = message;
  const ends = { source, destination, created_lt: createdLt };
  const sent = { source: source.toRaw(), destination: destination.toRaw(), created_lt: String(createdLt) };
  const named = { workchain, shard: signed.toString(), seqno };
  return [
    ["getMasterchainInfo", {}, {}],
    ["getAddressInformation", { address: text }, { address }],
    ["getAddressBalance", { address: text }, { address }],
    ["getAddressBalance", { address: text, seqno: 3 }, { address, seqno: 3 }],
    ["getAddressState", { address: address.toRaw() }, { address }],
    ["getWalletInformation", { address: text }, { address }],
    [
      "getExtendedAddressInformation",
      { address: text },
      { address: { address, bounceable: true, testOnly: false } },
    ],
    ["tryLocateTx", sent, ends],
    ["tryLocateSourceTx", sent, ends],
    ["getTransactions", { address: text, limit: 3 }, { address, limit: 3, to_lt: 0n }],
    ["getBlockHeader", named, { workchain, shard: signed, seqno }],
    ["lookupBlock", { ...named, seqno: 4 }, { workchain, shard: signed, seqno: 4 }],
    ["getShards", { seqno }, { seqno }],
    ["getConfigParam", { config_id: 34 }, { config_id: 34 }],
    ["getConfigParam", { param: tgWalletParam }, { param: tgWalletParam }],
    ["getConfigParam", { param: -(2 ** 31) }, { param: -(2 ** 31) }],
    ["getConfigAll", {}, {}],
    [
      "getLibraries",
      { libraries: [Buffer.from(target.library!).toString("base64")] },
      { libraries: [target.library] },
    ],
  ];
}

describe("a verified client", () => {
  test("answers as the service does", async () => {
    const { client } = await opened();
    for (const [name, params, read] of questions())
      expect([name, await client.call(name, params)]).toEqual([name, await byService(name, read)]);
    expect(await client.getAddressBalance({ address: addressOf(sample).toFriendly() })).toMatch(/^\d+$/);
  });

  test("needs one request for an account once the newest block is proven", async () => {
    const { client, requests } = await opened({ headMs: 60_000 });
    const address = addressOf(sample).toFriendly();
    await client.getAddressBalance({ address });
    const before = requests.length;
    await client.getAddressBalance({ address: new Address(0, new Uint8Array(32).fill(0xee)).toFriendly() });
    expect(requests.length - before).toBe(1);
  });

  test("sends messages, which are in a block afterwards", async () => {
    const { client } = await opened({ headMs: 0 });
    const boc = Buffer.from(await target.message!()).toString("base64");
    expect(await client.sendBoc({ boc })).toEqual({ "@type": "ok" });
    await target.advance!();
    await expect(client.sendBoc({ boc: "%" })).rejects.toMatchObject({ code: "invalid-params" });
  });

  test("refuses methods without proofs, and parameters that mean nothing", async () => {
    const { client, requests } = await opened();
    await expect(client.call("runGetMethod", {} as never)).rejects.toMatchObject({ code: "unknown-method" });
    await expect(client.call("constructor")).rejects.toMatchObject({ code: "unknown-method" });
    expect(requests).toEqual([]);
    for (const params of [{ address: "x" }, { address: addressOf(sample).toRaw(), seqno: -1 }])
      await expect(client.getAddressBalance(params)).rejects.toMatchObject({ code: "invalid-params" });
    for (const param of [2 ** 31, -(2 ** 31) - 1, 1.5])
      await expect(client.getConfigParam({ param })).rejects.toMatchObject({ code: "invalid-params" });
    const both = createVerifiedClient({ transport: http("http://127.0.0.1:1"), storage: memoryStorage() });
    await expect(both.getMasterchainInfo()).rejects.toMatchObject({ code: "invalid-params" });
  });

  test("ends calls at its end, at a signal and at a deadline", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stuck: LiteApi = {
      ...target.api,
      getMasterchainInfo: () => gate.then(() => Promise.reject(new Error())),
    };
    const { url } = await liteQueryService(stuck);
    const client = clientOf([url]);
    const controller = new AbortController();
    const calls = [
      client.getMasterchainInfo({}, { signal: controller.signal }),
      client.getMasterchainInfo({}, { timeoutMs: 1 }),
      client.getMasterchainInfo(),
    ].map((call) => call.catch((error: unknown) => (isRpcError(error) ? error.code : error)));
    controller.abort();
    expect(await Promise.all(calls.slice(0, 2))).toEqual(["aborted", "timeout"]);
    client.close();
    expect(await calls[2]).toBe("closed");
    release();
  });
});

describe("a block that is trusted", () => {
  test("may be a key block, whose state proves the zero state", async () => {
    const storage = memoryStorage();
    const progress: ProofProgress[] = [];
    const { client } = await opened({ storage, onProgress: (each) => progress.push(each) });
    expect((await client.getMasterchainInfo()).last).toEqual(
      presentBlockId((await target.api.getMasterchainInfo()).last),
    );
  });

  test("of another network makes every answer a lie", async () => {
    const other = { ...presentBlockId(zero), root_hash: Buffer.alloc(32, 7).toString("base64") };
    const { client } = await opened({ trustedBlock: other });
    await expect(client.getMasterchainInfo()).rejects.toBeInstanceOf(ProofError);
  });

  test("of mainnet is not continued by another network", async () => {
    const { client } = await opened({ trustedBlock: undefined, network: "mainnet" });
    await expect(client.getAddressBalance({ address: addressOf(sample).toRaw() })).rejects.toThrow(
      "the server is of another network",
    );
  });

  test("that is old counts only as far as the caller says", async () => {
    const now = () => Date.now() + 1e9;
    const { client } = await opened({ maxHeadAgeSec: 60, now });
    await expect(client.getMasterchainInfo()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^the newest proven block is \d+ seconds old/),
    });
  });
});

describe("a service that lies", () => {
  /** The answers to one call, in order. */
  async function exchanged(name: string, params: object) {
    const answers: { method: string; nth: number; answer: Uint8Array }[] = [];
    const { client } = await opened({
      lie: (asked, answer) => {
        answers.push({ ...asked, answer });
        return answer;
      },
    });
    return { truth: await client.call(name, params), answers };
  }

  test("about any byte is not believed", async () => {
    const every = sized(1, 40);
    let refused = 0;
    const tried = new Set<string>();
    for (const [name, params] of questions()) {
      const { truth, answers } = await exchanged(name, params);
      // The first block is proven for each question alike.
      const others = answers.filter(({ method }) => isLong || !tried.has(method));
      for (const { method } of answers) tried.add(method);
      for (const { method, nth, answer } of others)
        for (const changed of changes(answer, every)) {
          const lie: Lie = (asked, honest) =>
            asked.method === method && asked.nth === nth ? changed : honest;
          const { client } = await opened({ lie });
          const outcome = await client.call(name, params).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
          client.close();
          if ("value" in outcome) expect([name, method, outcome.value]).toEqual([name, method, truth]);
          else if (outcome.error instanceof ProofError) {
            refused++;
            expect(
              outcome.error.evidence.bytes?.some(({ answer: told }) => Buffer.compare(told, changed) === 0),
            ).toBe(true);
          } else
            expect([name, method, outcome.error]).toEqual([
              name,
              method,
              expect.objectContaining({ name: "RpcError" }),
            ]);
        }
    }
    expect(refused).toBeGreaterThan(sized(20, 50));
  });

  test("is shown with what it claimed, what is proven, and by which block", async () => {
    const states: Uint8Array[] = [];
    const { client: honest } = await opened({
      lie: ({ method }, answer) => {
        if (method === "getAccountState") states.push(answer);
        return answer;
      },
    });
    await honest.getAddressBalance({ address: addressOf(sample).toRaw(), seqno: 3 });
    const { client } = await opened({
      lie: ({ method }, answer) => (method === "getAccountState" ? states[0]! : answer),
    });
    const error = await client
      .getAddressBalance({ address: addressOf(sample).toRaw() })
      .catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ProofError);
    expect((error as ProofError).evidence).toMatchObject({
      method: "getAccountState",
      claimed: expect.stringContaining(",3):"),
      proven: expect.stringContaining("(-1,"),
      block: { workchain: -1 },
      bytes: expect.arrayContaining([
        { method: "getAccountState", query: expect.anything(), answer: states[0] },
      ]),
    });
  });

  test("by answers that are too large for the question is refused before they are read", async () => {
    const query = queryOf("getBlockHeader", {});
    // The head of a bag that states 65,537 cells.
    const headerProof = Buffer.from("b5ee9c7203010100010100000100000000", "hex");
    const lies: [string, Lie, RegExp][] = [
      [
        "getMasterchainInfo",
        ({ method }, answer) => (method === "getMasterchainInfo" ? Buffer.alloc(70_000) : answer),
        /^getMasterchainInfo: the answer is too large: \d+ bytes exceed the limit of 65536$/,
      ],
      [
        "getBlockHeader",
        ({ method }, answer) =>
          method === "getBlockHeader"
            ? encodeAnswer(query, { ...(decodeAnswer(query, answer) as object), headerProof })
            : answer,
        /^getBlockHeader: the answer is too large: 65537 cells exceed the limit of 65536$/,
      ],
    ];
    for (const [name, lie, message] of lies) {
      const { client } = await opened({ lie });
      const { workchain, shard, seqno } = sample.last;
      const params = { workchain, shard: String(BigInt.asIntN(64, shard)), seqno };
      const error = await client
        .call(name, name === "getBlockHeader" ? params : {})
        .catch((each: Error) => each);
      expect(error).toBeInstanceOf(ProofError);
      expect((error as ProofError).message).toMatch(message);
    }
  });

  test("that a message was not received is not believed", async () => {
    const [, params] = questions().find(([name]) => name === "tryLocateTx")!;
    const missing = encodeError(new LiteError(liteErrorCode.notReady, "block is not applied"));
    const { client } = await opened({
      lie: ({ method }, answer) => (method === "lookupBlockWithProof" ? missing : answer),
    });
    for (const name of ["tryLocateTx", "tryLocateResultTx", "tryLocateSourceTx"])
      await expect(client.call(name as string, params)).rejects.toMatchObject({
        code: "unavailable",
        shortMessage: expect.stringMatching(/^unproven: the service does not give the block at lt \d+$/),
      });
    const query = queryOf("listBlockTransactionsExt", {});
    const { client: other } = await opened({
      lie: ({ method }, answer) =>
        method === "listBlockTransactionsExt"
          ? encodeAnswer(query, {
              ...(decodeAnswer(query, answer) as object),
              incomplete: false,
              transactions: new Uint8Array(0),
            })
          : answer,
    });
    await expect(other.call("tryLocateTx" as string, params)).rejects.toBeInstanceOf(ProofError);
  });

  test("is replaced by another one if the caller wants that, and reported", async () => {
    const cut: Lie = ({ method }, answer) => (method === "getAccountState" ? answer.subarray(0, 40) : answer);
    const liar = await liteQueryService(target.api, { lie: cut });
    const honest = await liteQueryService(target.api);
    const params = { address: addressOf(sample).toRaw() };
    await expect(clientOf([liar.url, honest.url]).getAddressBalance(params)).rejects.toBeInstanceOf(
      ProofError,
    );
    const told: ProofError[] = [];
    const client = clientOf([liar.url, honest.url], {
      fallOver: true,
      onProofError: (error) => told.push(error),
    });
    expect(await client.getAddressBalance(params)).toBe(
      await byService("getAddressBalance", { address: addressOf(sample) }),
    );
    expect(told.map(({ evidence }) => evidence.method)).toEqual(["getAccountState"]);
  });

  test("by serving old blocks loses against a fresher one", async () => {
    const old = await target.api.lookupBlock({ id: { ...sample.last, seqno: 5 }, bySeqno: true });
    const info = await target.api.getMasterchainInfo();
    const header = await new ChainReader({
      lite: target.api,
      head: new ChainHead({ last: info.last, init: info.init }, () => 0),
    }).header(old.id);
    const lagging: LiteApi = {
      ...target.api,
      getMasterchainInfo: async () => ({ ...info, last: old.id, stateRootHash: header.stateHash }),
    };
    const services = [await liteQueryService(lagging), await liteQueryService(target.api)];
    const client = clientOf(services.map(({ url }) => url));
    expect((await client.getMasterchainInfo()).last.seqno).toBe(info.last.seqno);
    expect((await clientOf([services[0]!.url]).getMasterchainInfo()).last.seqno).toBe(5);
  });
});

/** The answer with a bit flipped at every so many bytes, cut, emptied and continued. */
function* changes(answer: Uint8Array, every: number): Generator<Uint8Array> {
  yield answer.subarray(0, answer.length >> 1);
  yield new Uint8Array(0);
  yield Buffer.concat([answer, Buffer.alloc(4)]);
  const step = Math.max(1, Math.floor(answer.length / every));
  for (let at = step >> 1; at < answer.length; at += step)
    yield answer.map((byte, index) => (index === at ? byte ^ (1 << (at % 8)) : byte));
}
