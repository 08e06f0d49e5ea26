import { inspect } from "node:util";
import { Address, openContract } from "@ton/core";
import { WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TypedContract } from "../../client/contract/index.js";
import { getAddressBalance } from "../../client/methods.js";
import {
  type Client,
  type ClientOptions,
  createCaller,
  createClient,
  fallback,
  http,
  rows,
  runMethod,
  sendAndWait,
  waitForSeqno,
  webSocket,
} from "../../client/node.js";
import { contractProvider, contractWrapper, TonClient } from "../../client/ton/index.js";
import { createVerifiedClient } from "../../client/verified/index.js";
import { withTvm } from "../../client/verified/tvm/index.js";
import { sendAndWait as sendAndFollow, watch } from "../../client/watch/index.js";
import { counterAbi } from "../helpers/abi/counter-contract.js";
import { loadProgram, programFor } from "../helpers/abi/load-program.js";
import { nowhere, serve } from "../helpers/peers/rpc-server.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// Errors of calls to a whole service: their stacks have the lines that awaited the calls.

const { counter } = await loadProgram(programFor(counterAbi()));
const counters = new TypedContract(counter!);
/** Without an account. */
const nobody = Address.parseRaw(`0:${"7".repeat(64)}`);
const address = nobody.toString();
const elector = `-1:${"3".repeat(64)}`;
/** An external message to nobody. */
const boc = "te6cckEBAQEAAgAAAEysuc0=";

let service: DevnetService;
let url: string;
beforeAll(async () => {
  service = await sharedService("indexed");
  url = `${service.url}/jsonRPC`;
});
afterAll(() => service?.close());

function closed<T extends { close(): void }>(made: T): T {
  onTestFinished(() => made.close());
  return made;
}
const open = (options: Partial<ClientOptions> = {}): Client =>
  closed(createClient({ transport: http(url), apiKey: service.key, ...options }));
const overSocket = () => open({ transport: webSocket(url) });
const wallet = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32) });

function aborted() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

const wrong = { address: "wrong" };
async function helper(client: Client): Promise<string> {
  const balance = await client.getAddressBalance(wrong);
  return `${balance} nanotons`;
}

/** Failing calls; their names are looked for in the stack. */
const callers: Record<string, () => Promise<unknown>> = {
  async callingByProxy() {
    return await open().getAddressBalance(wrong);
  },
  async callingByName() {
    return await open().call("getAddressBalance", wrong);
  },
  async callingByFunction() {
    return await getAddressBalance(open(), wrong);
  },
  async callingV3() {
    return await open().v3.jetton.wallets({ limit: "many" as never });
  },
  async callingAllAtOnce() {
    const client = open();
    return await Promise.all([
      client.getMasterchainInfo(),
      client.getAddressBalance(wrong),
      client.v3.blocks({}),
    ]);
  },
  async callingThroughAHelper() {
    return await helper(open());
  },
  async callingWithoutBatches() {
    return await open({ batch: false }).getAddressBalance(wrong);
  },
  async callingOverAWebSocket() {
    return await overSocket().getAddressBalance(wrong);
  },
  async callingByFallback() {
    return await open({ transport: fallback([http(await nowhere()), http(url)]) }).getAddressBalance(wrong);
  },
  async callingNowhere() {
    return await open({ transport: http(await nowhere()), retry: false }).getMasterchainInfo();
  },
  async retrying() {
    const { url: failing } = await serve((_, response) => response.writeHead(503).end());
    const retry = { tries: 2, baseMs: 1, maxMs: 1 };
    return await open({ transport: http(failing), retry }).getMasterchainInfo();
  },
  async waitingTooLong() {
    const { url: silent } = await serve(() => {});
    return await open({ transport: http(silent) }).getMasterchainInfo({}, { timeoutMs: 1 });
  },
  async aborting() {
    const { url: silent } = await serve(() => {});
    return await open({ transport: http(silent) }).getMasterchainInfo({}, { signal: AbortSignal.timeout(1) });
  },
  async closing() {
    const { url: silent } = await serve(() => {});
    const client = open({ transport: http(silent) });
    setImmediate(() => client.close());
    return await client.v3.blocks({ limit: 1 });
  },
  async callingTheSmallClient() {
    return await closed(createCaller({ transport: http(url) })).call("getAddressBalance", wrong);
  },
  async thenning() {
    return await open().getAddressBalance(wrong).then(BigInt);
  },
  async running() {
    return await runMethod(open(), { address, method: "seqno" });
  },
  async waitingForSeqno() {
    return await waitForSeqno(open(), address, 1, { timeoutMs: 1 });
  },
  async sending() {
    return await sendAndWait(open(), boc);
  },
  async sendingMalformed() {
    return await sendAndWait(open(), "x");
  },
  async stoppingAWait() {
    const { signal, abort } = aborted();
    // The first pause ends with the abortion.
    const clock = { now: () => 0, setTimeout: () => queueMicrotask(abort), clearTimeout() {} };
    return await waitForSeqno(open(), address, 1, { signal, clock });
  },
  async sendingOverASocket() {
    return await sendAndFollow(overSocket(), boc);
  },
  async listing() {
    for await (const row of rows(open().v3.transactions, { account: ["wrong"] })) return row;
    return undefined;
  },
  async openingAContract() {
    const client = open({ transport: http(await nowhere()), retry: false });
    return await new TonClient({ client }).open(wallet).getSeqno();
  },
  async openingAProvider() {
    const client = open({ transport: http(await nowhere()), retry: false });
    return await openContract(wallet, ({ address, init }) =>
      contractProvider(client, address, init),
    ).getSeqno();
  },
  async openingAWrapper() {
    const client = new TonClient({ client: open() });
    return await client.open(contractWrapper(counters, nobody))["getState"]!();
  },
  async callingTonClient() {
    return await new TonClient({ client: open() }).runMethod(nobody, "seqno");
  },
  async callingATypedContract() {
    return await counters.at(open(), address).get["state"]!();
  },
  async readingATypedContract() {
    return await counters.at(open(), "wrong").storage();
  },
  async callingTheVerifiedClient() {
    const { init } = await open().getMasterchainInfo();
    const client = closed(createVerifiedClient({ transport: http(url), trustedBlock: init }));
    return await client.getAddressBalance(wrong);
  },
  async callingAnotherNetwork() {
    const client = closed(createVerifiedClient({ transport: http(url), network: "mainnet" }));
    return await client.getAddressBalance({ address });
  },
  async loopingOverTransactions() {
    for await (const event of watch(overSocket()).transactions({ accounts: ["wrong"] })) return event;
    return undefined;
  },
  async loopingUntilAborted() {
    const { signal, abort } = aborted();
    const blocks = watch(overSocket()).blocks({
      signal,
      onStatus: (status) => status === "live" && setImmediate(abort),
    });
    for await (const event of blocks) return event;
    return undefined;
  },
};

const failure = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    (value) => new Error(`resolved with ${inspect(value)}`),
    (error: Error) => error,
  );

const lineOf = (name: string) => new RegExp(`at .*\\b${name} .*stack\\.test\\.ts:\\d+`);

describe("The stack of an error", () => {
  it.each(Object.keys(callers))("has the line that awaited the call: %s", async (name) => {
    const { message, stack } = await failure(callers[name]!());
    expect(message).not.toMatch(/^resolved/);
    expect(stack).toMatch(lineOf(name));
  });
});

/** Two callers wait for the failures of the same work. */
async function failuresOfTwo(ask: () => Promise<unknown>): Promise<[Error, Error]> {
  async function first() {
    return await ask();
  }
  async function second() {
    return await ask();
  }
  const [one, other] = await Promise.all([failure(first()), failure(second())]);
  expect(one).not.toBe(other);
  expect(one.message).toBe(other.message);
  expect(one.message).not.toMatch(/^resolved/);
  expect(one.stack).toMatch(lineOf("first"));
  expect(other.stack).toMatch(lineOf("second"));
  expect([lineOf("second").test(one.stack!), lineOf("first").test(other.stack!)]).toEqual([false, false]);
  return [one, other];
}

describe("Callers that share work get errors of their own", () => {
  it("for equal reads in flight, with the same cause", async () => {
    const client = open({ transport: http(await nowhere()), retry: false });
    const [one, other] = await failuresOfTwo(() => client.getMasterchainInfo());
    expect(one.cause).toBeInstanceOf(Error);
    expect(one.cause).toBe(other.cause);
  });

  it("for calls of a batch, each with its method", async () => {
    const { url: html } = await serve((_, response) => response.end("<html>"));
    const client = open({ transport: http(html), retry: false });
    const errors = await Promise.all([failure(client.getMasterchainInfo()), failure(client.v3.blocks({}))]);
    expect(errors[0]).not.toBe(errors[1]);
    expect(errors).toMatchObject([{ method: "getMasterchainInfo" }, { method: "v3.blocks" }]);
  });

  it("for a proof that both need", async () => {
    const client = closed(createVerifiedClient({ transport: http(url), network: "mainnet" }));
    await failuresOfTwo(() => client.getAddressBalance({ address }));
  });

  it("for the emulator that both load", async () => {
    const { init } = await open().getMasterchainInfo();
    const verified = closed(createVerifiedClient({ transport: http(url), trustedBlock: init }));
    const client = withTvm(verified, { wasm: new Uint8Array(8), script: (async () => {}) as never });
    const errors = await failuresOfTwo(() =>
      client.runGetMethod({ address: elector, method: "active_election_id", stack: [] }),
    );
    expect(errors).toMatchObject([{ name: "TvmError" }, { name: "TvmError" }]);
  });
});
