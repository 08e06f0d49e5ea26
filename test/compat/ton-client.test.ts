import { randomBytes } from "node:crypto";
import { Address, beginCell, Cell, comment, internal, SendMode, TupleBuilder, toNano } from "@ton/core";
import { keyPairFromSeed } from "@ton/crypto";
import {
  TonClient,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { variants } from "../helpers/effort.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import type { TestService } from "../helpers/services/service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// The unchanged @ton/ton client against a devnet.

let service: TestService;
let client: TonClient;
beforeAll(async () => {
  service = await sharedService("empty");
  client = clientAt("/api/v2/jsonRPC");
});
afterAll(() => service.close());

const clientAt = (path: string) => new TonClient({ endpoint: service.url + path, apiKey: service.key });
const giveTo = (address: Address, amount = "10000000000") =>
  service.rpc("devnet.faucet", { address: address.toString(), amount });
const newKey = () => keyPairFromSeed(randomBytes(32));
/** One block has a message, and one more delivers what follows. */
const mine = () => service.rpc("devnet.mine", { blocks: 2 });
const unknownAddress = () => new Address(0, randomBytes(32));

/** A payment from a prefunded wallet, and where its transactions are. */
async function pay(to: Address, value = "1", body = comment("hello")) {
  const { publicKey, secretKey } = await prefundedWallet(service, "v4r2");
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  const seqno = await wallet.getSeqno();
  const messages = [internal({ to, value, bounce: false, body })];
  await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
  await mine();
  return wallet.address;
}

type Version = "v3r2" | "v4r2" | "v5 beta" | "v5r1";

describe("TonClient", () => {
  it("works on every JSON-RPC path", async () => {
    for (const path of ["/api/v2/jsonRPC", "/", "/jsonRPC"]) {
      const info = await clientAt(path).getMasterchainInfo();
      expect(info).toMatchObject({ workchain: -1, shard: "-9223372036854775808", initSeqno: 0 });
      expect(info.latestSeqno).toBeGreaterThan(0);
    }
  });

  it("sees a failure as a status other than 200 with a JSON body", async () => {
    const wrong = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC`, apiKey: "nobody's" });
    const error = await wrong.getMasterchainInfo().catch((thrown) => thrown);
    expect(error.response.status).toBe(401);
    expect(error.response.data).toEqual({ ok: false, error: "API key does not exist", code: 401 });
  });

  it("reads balances and states of accounts in every state", async () => {
    const absent = unknownAddress();
    expect(await client.getContractState(absent)).toMatchObject({
      balance: 0n,
      state: "uninitialized",
      code: null,
      data: null,
      lastTransaction: null,
    });
    await giveTo(absent, "1500000000");
    expect(await client.getBalance(absent)).toBe(1_500_000_000n);
    expect(await client.isContractDeployed(absent)).toBe(false);
    const wallet = await prefundedWallet(service, "v4r2");
    await pay(unknownAddress());
    const state = await client.getContractState(Address.parse(wallet.address));
    expect(state.state).toBe("active");
    expect(Cell.fromBoc(state.code!)[0]!.hash().toString("base64")).toBe(
      "/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=",
    );
    expect(state.lastTransaction!.lt).toMatch(/^\d+$/);
  });

  it("runs get-methods, with arguments and with the values they leave on the stack", async () => {
    const from = await pay(unknownAddress());
    const { stack, gas_used } = await client.runMethod(from, "seqno");
    expect(stack.readNumber()).toBeGreaterThan(0);
    expect(gas_used).toBeGreaterThan(0);
    expect((await client.runMethodWithError(from, "no_such_method")).exit_code).toBe(11);
    const args = new TupleBuilder();
    args.writeNumber(5n);
    args.writeNumber(-5n);
    args.writeCell(beginCell().storeUint(1, 32).endCell());
    args.writeSlice(beginCell().storeUint(2, 32).endCell());
    // The method takes none of them: they stay below its result.
    const left = await client.runMethodWithError(from, "seqno", args.build());
    expect(left.exit_code).toBe(0);
    expect(left.stack.remaining).toBe(5);
    // A builder is taken as well, but an answer with one is more than this client can read.
    args.writeBuilder(beginCell().storeUint(3, 32).endCell());
    await expect(client.runMethodWithError(from, "seqno", args.build())).rejects.toThrow(
      "Unsupported stack item type: unsupported",
    );
    await expect(client.runMethod(unknownAddress(), "seqno")).rejects.toThrow();
  });

  it("pages through transactions, by lt and hash too", async () => {
    const receiver = unknownAddress();
    for (const amount of ["0.1", "0.2", "0.3"]) await pay(receiver, amount, comment(`pays ${amount}`));
    const all = await client.getTransactions(receiver, { limit: 10 });
    expect(
      all.map(({ inMessage }) => inMessage!.info.type === "internal" && inMessage!.info.value.coins),
    ).toEqual([toNano("0.3"), toNano("0.2"), toNano("0.1")]);
    expect(all[0]!.inMessage!.body.equals(comment("pays 0.3"))).toBe(true);
    const { lt } = all[0]!;
    const hash = all[0]!.hash().toString("base64");
    const rest = await client.getTransactions(receiver, { limit: 10, lt: lt.toString(), hash });
    expect(rest.map((each) => each.lt)).toEqual(all.slice(1).map((each) => each.lt));
    const inclusive = await client.getTransactions(receiver, {
      limit: 1,
      lt: lt.toString(),
      hash,
      inclusive: true,
    });
    expect(inclusive.map((each) => each.lt)).toEqual([lt]);
    const upTo = await client.getTransactions(receiver, { limit: 10, to_lt: all[2]!.lt.toString() });
    expect(upTo.map((each) => each.lt)).toEqual(all.slice(0, 2).map((each) => each.lt));
    expect(await client.getTransactions(receiver, { limit: 100, archival: true })).toHaveLength(3);
    expect((await client.getTransaction(receiver, lt.toString(), hash))!.hash()).toEqual(all[0]!.hash());
    expect(await client.getTransactions(unknownAddress(), { limit: 10 })).toEqual([]);
  });

  it("finds both ends of a message", async () => {
    const destination = unknownAddress();
    const source = await pay(destination, "0.5");
    const [received] = await client.getTransactions(destination, { limit: 1 });
    const info = received!.inMessage!.info;
    if (info.type !== "internal") throw new Error("the payment came as something else");
    const createdLt = info.createdLt.toString();
    expect((await client.tryLocateResultTx(source, destination, createdLt)).hash()).toEqual(received!.hash());
    const sent = await client.tryLocateSourceTx(source, destination, createdLt);
    expect(sent.outMessages.get(0)!.body.equals(comment("hello"))).toBe(true);
  });

  it("walks from a masterchain block to the transactions of its shards", async () => {
    await pay(unknownAddress());
    const { latestSeqno } = await client.getMasterchainInfo();
    const shards = await client.getWorkchainShards(latestSeqno);
    expect(shards).toEqual([{ workchain: 0, shard: "-9223372036854775808", seqno: expect.any(Number) }]);
    const masterchain = await client.getShardTransactions(-1, latestSeqno, "-9223372036854775808");
    expect(masterchain.length).toBeGreaterThan(0);
    for (const { account, lt, hash } of masterchain) {
      expect(account.workChain).toBe(-1);
      expect(lt).toMatch(/^\d+$/);
      expect(Buffer.from(hash, "base64")).toHaveLength(32);
    }
  });

  it("estimates the fees of a transfer", async () => {
    const { publicKey, secretKey, address } = await prefundedWallet(service, "v4r2");
    const wallet = WalletContractV4.create({ workchain: 0, publicKey });
    const seqno = await client.open(wallet).getSeqno();
    const messages = [internal({ to: unknownAddress(), value: "1", bounce: false })];
    const body = wallet.createTransfer({ seqno, secretKey, messages });
    const { source_fees } = await client.estimateExternalMessageFee(Address.parse(address), {
      body,
      initCode: null,
      initData: null,
      ignoreSignature: true,
    });
    for (const fee of Object.values(source_fees))
      if (typeof fee === "number") expect(fee).toBeGreaterThanOrEqual(0);
    expect(source_fees.gas_fee).toBeGreaterThan(0);
    expect(source_fees.fwd_fee).toBeGreaterThan(0);
  });

  it.each(variants<Version>(["v4r2", "v5 beta"], ["v3r2", "v5r1"]))(
    "deploys a wallet %s, and its seqno grows with every transfer",
    async (version) => {
      const { publicKey, secretKey } = newKey();
      const contract = {
        v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
        v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
        // Its code is a library cell: the code itself is a public library.
        "v5 beta": WalletContractV5Beta.create({ publicKey }),
        v5r1: WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } }),
      }[version];
      await giveTo(contract.address);
      const wallet = client.open(contract as WalletContractV4);
      const friend = unknownAddress();
      for (const seqno of [0, 1]) {
        expect(await wallet.getSeqno()).toBe(seqno);
        const messages = [internal({ to: friend, value: "0.25", bounce: false, body: `transfer ${seqno}` })];
        // The wallet v5 beta refuses to send in a mode that does not ignore errors.
        const sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS;
        await wallet.sendTransfer({ seqno, secretKey, messages, sendMode });
        await mine();
      }
      expect(await client.isContractDeployed(contract.address)).toBe(true);
      expect(await client.getBalance(friend)).toBeGreaterThan(toNano("0.4999"));
    },
  );

  it("refuses an order with a seqno of the past, with the wallet's exit code in the text", async () => {
    const { publicKey, secretKey } = await prefundedWallet(service, "v4r2");
    const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
    await pay(unknownAddress());
    const messages = [internal({ to: unknownAddress(), value: "1", bounce: false })];
    const error = await wallet.sendTransfer({ seqno: 0, secretKey, messages }).catch((thrown) => thrown);
    expect(error.response.status).toBe(500);
    expect(error.response.data.error).toMatch(/cannot apply external message to current state.*exitcode=33/s);
  });
});
