import { randomBytes } from "node:crypto";
import {
  Address,
  beginCell,
  Cell,
  comment,
  internal,
  openContract,
  SendMode,
  TupleBuilder,
  type TupleItem,
  toNano,
} from "@ton/core";
import { keyPairFromSeed } from "@ton/crypto";
import {
  TonClient as OriginalTonClient,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from "@ton/ton";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { type Client, createClient, http } from "../../client/index.js";
import { contractProvider, TonClient } from "../../client/ton/index.js";
import { clientOf, sendJson, serve } from "../helpers/peers/rpc-server.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import { sharedService } from "../helpers/services/shared-service.js";

// Unchanged wrappers of @ton/ton over this client, beside @ton/ton's own.

let service: DevnetService;
let ours: TonClient;
let original: OriginalTonClient;
let client: Client;
beforeAll(async () => {
  service = await sharedService("empty");
  const endpoint = `${service.url}/api/v2/jsonRPC`;
  ours = new TonClient({ endpoint, apiKey: service.key });
  original = new OriginalTonClient({ endpoint, apiKey: service.key });
  client = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
});
afterAll(async () => {
  ours.close();
  client.close();
  await service.close();
});

const unknownAddress = () => new Address(0, randomBytes(32));

async function pay(to: Address, value: string) {
  const { publicKey, secretKey } = await prefundedWallet(service, "v4r2");
  const wallet = ours.open(WalletContractV4.create({ workchain: 0, publicKey }));
  const seqno = await wallet.getSeqno();
  const messages = [internal({ to, value, bounce: false, body: comment("hello") })];
  await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
  await service.mine();
  return wallet.address;
}

describe("contract wrappers", () => {
  it.each(["v3r2", "v4r2", "v5r1"] as const)("deploy and use a wallet %s", async (version) => {
    const { publicKey, secretKey } = keyPairFromSeed(randomBytes(32));
    const contract = {
      v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
      v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
      v5r1: WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } }),
    }[version];
    await service.run("devnet.faucet", { address: contract.address.toString() });
    const wallet = openContract(contract as WalletContractV4, ({ address, init }) =>
      contractProvider(client, address, init),
    );
    const friend = unknownAddress();
    for (const seqno of [0, 1]) {
      expect(await wallet.getSeqno()).toBe(seqno);
      const messages = [internal({ to: friend, value: "0.25", bounce: false, body: `transfer ${seqno}` })];
      await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
      await service.mine();
    }
    expect(await ours.isContractDeployed(contract.address)).toBe(true);
    expect(await ours.getBalance(friend)).toBeGreaterThan(toNano("0.4999"));
    // An internal message through a sender deploys, bounces and carries text as the wrapper says.
    const sent: unknown[] = [];
    const provider = contractProvider(client, unknownAddress(), { code: Cell.EMPTY, data: Cell.EMPTY });
    await provider.internal({ send: async (args) => void sent.push(args) }, { value: "1.5", body: "text" });
    const init = { code: Cell.EMPTY, data: Cell.EMPTY };
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: expect.any(Address), value: toNano("1.5"), bounce: true });
    expect(plain(sent[0])).toMatchObject(plain({ init, body: comment("text") }) as object);
  });

  it("see the state of accounts as with @ton/ton", async () => {
    const [absent, funded] = [unknownAddress(), unknownAddress()];
    await pay(funded, "1");
    const { address } = await prefundedWallet(service, "v4r2");
    for (const each of [absent, funded, Address.parse(address), Address.parseRaw(`-1:${"5".repeat(64)}`)]) {
      expect(await contractProvider(client, each).getState()).toEqual(
        await original.provider(each).getState(),
      );
    }
  });

  it("see it also at older services, which omit rare members of accounts", async () => {
    const id = { "@type": "internal.transactionId", lt: "0", hash: "" };
    const account = { balance: "5", state: "uninitialized", code: "", data: "", last_transaction_id: id };
    const { url } = await serve((_, response) => sendJson(response, { ok: true, result: account }));
    const state = await contractProvider(clientOf(url), unknownAddress()).getState();
    expect(state).toEqual({ balance: 5n, extracurrency: null, last: null, state: { type: "uninit" } });
  });

  it("get the exit code of a failed get-method", async () => {
    const { address } = await prefundedWallet(service, "v4r2");
    const provider = contractProvider(client, Address.parse(address));
    await expect(provider.get("no_such_method", [])).rejects.toMatchObject({
      exitCode: 11,
      code: "conflict",
    });
    await expect(contractProvider(client, unknownAddress()).get("seqno", [])).rejects.toMatchObject({
      exitCode: -13,
    });
    const { stack, gasUsed } = await provider.get(85143, []);
    expect([stack.readNumber(), gasUsed! > 0n]).toEqual([expect.any(Number), true]);
  });

  it("get arguments of every kind to the contract and back", async () => {
    const args = new TupleBuilder();
    args.writeNumber(-5n);
    args.writeNumber(2n ** 256n - 1n);
    args.writeCell(beginCell().storeUint(1, 32).endCell());
    args.writeSlice(beginCell().storeUint(2, 32).endCell());
    const items: TupleItem[] = [
      ...args.build(),
      { type: "null" },
      {
        type: "tuple",
        items: [
          { type: "int", value: 1n },
          { type: "int", value: 2n },
        ],
      },
    ];
    // An account without code leaves the arguments on the stack, with the method id on top.
    const { stack, exit_code } = await ours.runMethodWithError(unknownAddress(), "seqno", items);
    expect(exit_code).toBe(-13);
    const left = Array.from({ length: items.length }, () => stack.pop());
    const cell = (item: TupleItem) => (item.type === "slice" ? { ...item, type: "cell" } : item);
    expect(plain(left.map(cell))).toEqual(plain(items.map(cell)));
    const nan = ours.runMethodWithError(unknownAddress(), "x", [{ type: "nan" }]);
    await expect(nan).rejects.toThrow("NaN cannot be passed to a get-method");
  });
});

describe("TonClient", () => {
  it("has the methods of @ton/ton's, with the same types", () => {
    type Shared = Omit<OriginalTonClient, "parameters" | "callGetMethodWithError">;
    expectTypeOf<TonClient>().toExtend<Shared>();
  });

  it("answers as @ton/ton's does", async () => {
    const receiver = unknownAddress();
    for (const value of ["0.1", "0.2", "0.3"]) await pay(receiver, value);
    const all = await original.getTransactions(receiver, { limit: 10 });
    const { lt: ltNumber } = all[0]!;
    const [lt, hash] = [ltNumber.toString(), all[0]!.hash().toString("base64")];
    const info = all[0]!.inMessage!.info;
    if (info.type !== "internal") throw new Error("the payment came as something else");
    const [source, createdLt] = [info.src, info.createdLt.toString()];
    const { latestSeqno } = await original.getMasterchainInfo();
    const fee = { body: comment("x"), initCode: null, initData: null, ignoreSignature: true };
    const asked: ((each: TonClient | OriginalTonClient) => Promise<unknown>)[] = [
      (each) => each.getMasterchainInfo(),
      (each) => each.getBalance(receiver),
      (each) => each.isContractDeployed(source),
      (each) => each.getContractState(source),
      (each) => each.runMethod(source, "seqno"),
      (each) => each.getTransactions(receiver, { limit: 10 }),
      (each) => each.getTransactions(receiver, { limit: 2, lt, hash }),
      (each) => each.getTransactions(receiver, { limit: 2, lt, hash, inclusive: true }),
      (each) => each.getTransaction(receiver, lt, hash),
      (each) => each.tryLocateResultTx(source, receiver, createdLt),
      (each) => each.tryLocateSourceTx(source, receiver, createdLt),
      (each) => each.getWorkchainShards(latestSeqno),
      (each) => each.getShardTransactions(-1, latestSeqno, "-9223372036854775808"),
    ];
    for (const ask of asked) {
      const [own, theirs] = await Promise.all([ask(ours), ask(original)]);
      expect(plain(own)).toEqual(plain(theirs));
    }
    const estimated = await ours.estimateExternalMessageFee(source, fee);
    expect(estimated).toMatchObject(await original.estimateExternalMessageFee(source, fee));
    await expect(ours.runMethod(source, "no_such_method")).rejects.toThrow("exit_code: 11");
  });

  it("asks for many things with one request", async () => {
    let requests = 0;
    const counted: typeof fetch = (...args) => {
      requests++;
      return fetch(...args);
    };
    const batching = new TonClient({
      client: createClient({
        transport: http(`${service.url}/jsonRPC`, { fetch: counted }),
        apiKey: service.key,
      }),
    });
    const balances = await Promise.all(
      Array.from({ length: 40 }, () => batching.getBalance(unknownAddress())),
    );
    expect([balances.length, requests]).toEqual([40, 1]);
    batching.close();
  });
});

/** Cells and dictionaries as plain values. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each) => {
      if (typeof each === "bigint") return `${each}n`;
      if (each instanceof Cell) return each.hash().toString("hex");
      return each instanceof Map ? [...each] : each;
    }),
  );
}
