import { randomBytes } from "node:crypto";
import {
  Address,
  beginCell,
  type Cell,
  comment,
  external,
  internal,
  SendMode,
  storeMessage,
} from "@ton/core";
import { type KeyPair, keyPairFromSeed } from "@ton/crypto";
import { WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountsAhead } from "../../../server/chain/run/accounts-ahead.js";
import { FeeEstimator } from "../../../server/chain/run/fee-estimate.js";
import type { EmulatedAccount } from "../../../server/chain/run/trace-emulator.js";
import { WaitingMessages } from "../../../server/chain/run/waiting-messages.js";
import { MessageEmulation } from "../../../server/indexer/traces/emulation.js";
import { serviceErrorOf } from "../../../server/methods/chain-errors.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { Address as OwnAddress } from "../../../shared/values/address.js";
import { tracePath } from "../../helpers/chain/emulated.js";
import { testConfig } from "../../helpers/chain/sample-chain.js";
import { codeOf, place, testAddress } from "../../helpers/contracts/contracts.js";
import { variants } from "../../helpers/effort.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service.close());

type Fees = { in_fwd_fee: number; storage_fee: number; gas_fee: number; fwd_fee: number };
type Shown = { transaction_id: { hash: string }; storage_fee: string; other_fee: string };

const receiver = new Address(0, randomBytes(32));
const bocOf = (cell: Cell) => cell.toBoc().toString("base64");

/** A wallet of @ton/ton that makes orders without reading the chain. */
class OfflineWallet {
  readonly #keys: KeyPair = keyPairFromSeed(randomBytes(32));
  readonly contract: WalletContractV4 | WalletContractV5R1;

  constructor(version: "v4r2" | "v5r1") {
    const { publicKey } = this.#keys;
    this.contract =
      version === "v4r2"
        ? WalletContractV4.create({ workchain: 0, publicKey })
        : WalletContractV5R1.create({ publicKey });
  }

  get address(): string {
    return this.contract.address.toRawString();
  }

  body(seqno: number, value = "1"): Cell {
    const order = {
      seqno,
      secretKey: this.#keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      timeout: 0xffffffff,
      messages: [internal({ to: receiver, value, bounce: false, body: comment("x".repeat(150)) })],
    };
    // Their types cannot be called by one name.
    return this.contract instanceof WalletContractV4
      ? this.contract.createTransfer(order)
      : this.contract.createTransfer(order);
  }

  /** Orders in a message, which deploys the wallet if it is the first one. */
  message(seqno: number, value?: string): string {
    const { address: to, init } = this.contract;
    const body = this.body(seqno, value);
    const message = external({ to, body, ...(seqno === 0 && { init }) });
    return bocOf(beginCell().store(storeMessage(message)).endCell());
  }
}

async function fundedWallet(version: "v4r2" | "v5r1"): Promise<OfflineWallet> {
  const wallet = new OfflineWallet(version);
  await service.run("devnet.faucet", { address: wallet.address, amount: "20000000000" });
  await service.mine();
  return wallet;
}

const send = (boc: string) => service.run("sendBoc", { boc });

async function estimateOf(address: string, body: Cell): Promise<Fees> {
  const params = { address, body: bocOf(body) };
  const { source_fees } = await service.run<{ source_fees: Fees }>("estimateFee", params);
  const v3 = await service.post("/api/v3/estimateFee", params);
  const { "@type": _, ...fees } = source_fees as Fees & { "@type": string };
  expect((v3.json as { source_fees: Fees }).source_fees).toEqual(fees);
  return fees;
}

/** Hash of the first transaction, or why there is none. */
async function emulate(boc: string, params: object = {}): Promise<string> {
  const { json } = await service.post(tracePath, { boc, ...params });
  const { trace, error } = json as { trace?: { tx_hash: string }; error?: string };
  return trace?.tx_hash ?? error!;
}

/** Newest first. */
const transactionsOf = (address: string, limit: number) =>
  service.run<Shown[]>("getTransactions", { address, limit });

const lastSeqno = async () =>
  (await service.run<{ last: { seqno: number } }>("getMasterchainInfo")).last.seqno;

/** Code that counts its messages and accepts each: ACCEPT, then c4 plus 1. */
const countingCode = codeOf("f800ed44d0d31f30a4c8cb1fc9ed54");

const versions = variants<["v4r2" | "v5r1", number]>([["v4r2", 33]], [["v5r1", 133]]);

describe.each(versions)("the orders of a %s that waits for a block", (version, wrongSeqno) => {
  const refused = `failed to emulate shard block: EmulationExternalNotAccepted: ${wrongSeqno}`;

  it("are estimated and emulated one behind the other, as they happen", async () => {
    const wallet = await fundedWallet(version);
    await send(wallet.message(0));
    await service.mine();
    const [second, third, fourth] = [2, 3, 4].map((seqno) => wallet.message(seqno));
    // One order ahead of its wallet: the order between was never sent.
    expect(await estimateOf(wallet.address, wallet.body(2))).toMatchObject({ gas_fee: 0, fwd_fee: 0 });
    expect(await emulate(second!)).toBe(refused);

    await send(wallet.message(1));
    const expected = [await emulate(wallet.message(1)), await emulate(second!)];
    const estimates = [await estimateOf(wallet.address, wallet.body(1))];
    estimates.push(await estimateOf(wallet.address, wallet.body(2)));
    expect(await emulate(third!)).toBe(refused);
    expect(await emulate(second!, { mc_block_seqno: await lastSeqno() })).toBe(refused);
    await send(second!);
    expected.push(await emulate(third!));
    estimates.push(await estimateOf(wallet.address, wallet.body(3)));
    await send(third!);
    // The waiting messages themselves are expected as before.
    for (const [at, boc] of [wallet.message(1), second!, third!].entries())
      expect(await emulate(boc)).toBe(expected[at]);
    expect(await emulate(fourth!)).toMatch(/^[\w+/]{43}=$/);
    expect(await estimateOf(wallet.address, wallet.body(5))).toMatchObject({ gas_fee: 0, fwd_fee: 0 });

    await service.mine();
    const happened = (await transactionsOf(wallet.address, 3)).reverse();
    expect(happened.map(({ transaction_id }) => transaction_id.hash)).toEqual(expected);
    for (const [at, { in_fwd_fee, gas_fee, fwd_fee }] of estimates.entries()) {
      expect(gas_fee).toBeGreaterThan(0);
      expect(fwd_fee).toBeGreaterThan(0);
      expect(in_fwd_fee + gas_fee + fwd_fee).toBe(Number(happened[at]!.other_fee));
    }
    // The order before has paid for storage.
    expect(estimates.slice(1).map(({ storage_fee }) => storage_fee)).toEqual([0, 0]);
  });

  it("follow a deployment, and the coins spent by the previous order", async () => {
    const wallet = await fundedWallet(version);
    await send(wallet.message(0, "15"));
    const next = await estimateOf(wallet.address, wallet.body(1, "10"));
    expect(next.gas_fee).toBeGreaterThan(0);
    const hash = await emulate(wallet.message(1, "10"));
    await send(wallet.message(1, "10"));
    await service.mine();
    const [last] = await transactionsOf(wallet.address, 1);
    expect(last!.transaction_id.hash).toBe(hash);
    expect(
      (await service.run<{ balance: string }>("getAddressInformation", { address: wallet.address })).balance,
    ).toMatch(/^4\d{9}$/);
  });

  it("may take the place of one that waits", async () => {
    const wallet = await fundedWallet(version);
    await send(wallet.message(0));
    await service.mine();
    const [alone, estimated] = [
      await emulate(wallet.message(1, "2")),
      await estimateOf(wallet.address, wallet.body(1, "2")),
    ];
    await send(wallet.message(1));
    expect(await emulate(wallet.message(1, "2"))).toBe(alone);
    expect(await estimateOf(wallet.address, wallet.body(1, "2"))).toEqual(estimated);
  });

  it("are refused again once a revert has removed the one before", async () => {
    const wallet = await fundedWallet(version);
    await send(wallet.message(0));
    await service.mine();
    const { id } = await service.run<{ id: number }>("devnet.snapshot");
    await send(wallet.message(1));
    await service.mine();
    await send(wallet.message(2));
    expect(await emulate(wallet.message(3))).not.toBe(refused);
    await service.run("devnet.revert", { id });
    expect(await emulate(wallet.message(3))).toBe(refused);
    expect(await emulate(wallet.message(2))).toBe(refused);
    expect(await emulate(wallet.message(1))).not.toBe(refused);
  });
});

describe("a message that was received", () => {
  it("does not come before the next one once more", async () => {
    const address = testAddress("7");
    const data = parseBocRoot(beginCell().storeUint(0, 32).endCell().toBoc());
    await place(service, { address, code: countingCode, data, balance: "1000000000" });
    const message = (n: number) => {
      const to = Address.parse(address);
      const body = beginCell().storeUint(n, 8).endCell();
      return bocOf(
        beginCell()
          .store(storeMessage(external({ to, body })))
          .endCell(),
      );
    };
    await send(message(1));
    const afterOne = await emulate(message(2));
    await service.mine();
    const after = [await emulate(message(2))];
    await send(message(2));
    after.push(await emulate(message(3)));
    await send(message(3));
    await service.mine();
    const happened = (await transactionsOf(address, 2)).reverse();
    expect(happened.map(({ transaction_id }) => transaction_id.hash)).toEqual(after);
    expect(afterOne).not.toBe(after[0]);
  });
});

describe("more messages than are run before another one", () => {
  const account = Address.parse(testAddress("8"));
  const address = OwnAddress.read(account.toRawString())!.address;
  const bodyOf = (n: number) => beginCell().storeUint(n, 32).endCell();
  const messageOf = (n: number) =>
    beginCell()
      .store(storeMessage(external({ to: account, body: bodyOf(n) })))
      .endCell()
      .toBoc();
  const block = {
    ...{ workchain: -1, shard: 1n << 63n, seqno: 5 },
    ...{ rootHash: new Uint8Array(32).fill(5), fileHash: new Uint8Array(32) },
  };

  /** Messages waiting for an account, each of which takes this much CPU time. */
  function waitingFor(count: number, cpuMs: number) {
    const bocs = Array.from({ length: count }, (_, n) => messageOf(n));
    let runs = 0;
    const emulate = async () => {
      const cell = parseBocRoot(beginCell().storeUint(++runs, 32).endCell().toBoc());
      return { receiver: { state: {}, cell, nextLt: 0n } as EmulatedAccount, cpuMs };
    };
    const ahead = new AccountsAhead({
      waiting: new WaitingMessages({ pending: async () => bocs }),
      emulator: { emulate } as never,
      reader: { account: async () => ({ lastTransaction: { lt: 0n } }) } as never,
    });
    const body = parseBocRoot(bodyOf(count).toBoc());
    return { run: () => ahead.before({ address, body }, block, {}), runs: () => runs };
  }

  it("are not run, and as many as a mempool keeps are", async () => {
    const few = waitingFor(256, 1);
    expect(await few.run()).toMatchObject({ nextLt: 0n });
    expect(few.runs()).toBe(256);
    // Once in a block.
    await few.run();
    expect(few.runs()).toBe(256);
    const many = waitingFor(257, 1);
    expect(await many.run()).toBe("late");
    expect(many.runs()).toBe(0);
  });

  it("are run in several calls if they take long", async () => {
    const dear = waitingFor(10, 200);
    expect(await dear.run()).toBe("late");
    expect(dear.runs()).toBe(3);
    expect([await dear.run(), dear.runs()]).toEqual(["late", 6]);
    expect([await dear.run(), dear.runs()]).toEqual(["late", 9]);
    expect(await dear.run()).toMatchObject({ nextLt: 0n });
  });

  it("turn a refusal into an error with the reason", async () => {
    const ahead = { before: async () => "late" as const };
    const rateLimited = { code: "rate-limited", data: { retry_after: 1 } };
    const emulation = new MessageEmulation({
      ahead,
      emulator: {
        emulate: async () => ({ transactions: [], refusal: { outcome: "impossible", reason: "" } }),
      },
      randomBytes: (count: number) => new Uint8Array(count),
    } as never);
    const message = parseBocRoot(messageOf(3));
    const request = { message, block, ignoreSignatures: false, isNext: true };
    const error = await emulation.trace(request, {}).catch(serviceErrorOf);
    expect(error).toMatchObject(rateLimited);

    const config = { params: decode(ConfigDictionary, testConfig) };
    const reader = { last: block, config: async () => config };
    const estimator = new FeeEstimator({ ahead, reader } as never);
    // An account without code accepts nothing.
    const snapshot = { address, block, account: undefined };
    const question = { body: message, ignoreSignatures: true };
    expect(await estimator.estimate(snapshot as never, question).catch(serviceErrorOf)).toMatchObject(
      rateLimited,
    );
  });
});
