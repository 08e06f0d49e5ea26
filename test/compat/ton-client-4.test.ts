import { randomBytes } from "node:crypto";
import {
  Address,
  beginCell,
  Cell,
  type Contract,
  comment,
  Dictionary,
  internal,
  SendMode,
  serializeTuple,
  storeMessage,
  TupleBuilder,
} from "@ton/core";
import { keyPairFromSeed } from "@ton/crypto";
import { TonClient, TonClient4, WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExecutorThreads } from "../../server/chain/executor/threads/executor-threads.js";
import { MethodRunner } from "../../server/chain/run/method-runner.js";
import { CodeLibraries } from "../../shared/ton/run/code-libraries.js";
import { type ChainApp, firstBlocks, startChainApp } from "../helpers/http/chain-app.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { describeWithChain } from "../helpers/test-data.js";

// The unchanged TonClient4 of @ton/ton against a devnet, beside TonClient where both have a call.

let service: DevnetService;
let client: TonClient4;
let v2: TonClient;
beforeAll(async () => {
  service = await sharedService("empty");
  client = clientWith(service.key);
  v2 = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC`, apiKey: service.key });
});
afterAll(() => service.close());

const clientWith = (key: string) =>
  new TonClient4({
    endpoint: `${service.url}/api/v4`,
    timeout: 60_000,
    requestInterceptor: (config) => {
      config.headers.set("X-API-Key", key);
      return config;
    },
  });
const unknownAddress = () => new Address(0, randomBytes(32));
const configAccount = Address.parse(`-1:${"5".repeat(64)}`);
const elector = Address.parse(`-1:${"3".repeat(64)}`);
const lastSeqno = async () => (await client.getLastBlock()).last.seqno;
const giveTo = (address: Address, amount = "10000000000") =>
  service.run("devnet.faucet", { address: address.toString(), amount });

/** A payment from a prefunded wallet, in a block. */
async function pay(to: Address, value = "1", body = comment("hello")) {
  const { publicKey, secretKey } = await prefundedWallet(service, "v4r2");
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  const messages = [internal({ to, value, bounce: false, body })];
  const sendMode = SendMode.PAY_GAS_SEPARATELY;
  await wallet.sendTransfer({ seqno: await wallet.getSeqno(), secretKey, messages, sendMode });
  await service.mine(2);
  return wallet.address;
}

describe("TonClient4", () => {
  it("getLastBlock names the block that TonClient names", async () => {
    const { last, init, stateRootHash, now } = await client.getLastBlock();
    const info = await service.run<{ last: V2Block; init: V2Block; state_root_hash: string }>(
      "getMasterchainInfo",
    );
    expect(last).toEqual(idOf(info.last));
    expect(last.seqno).toBe((await v2.getMasterchainInfo()).latestSeqno);
    expect(init).toEqual({ rootHash: info.init.root_hash, fileHash: info.init.file_hash });
    expect(stateRootHash).toBe(info.state_root_hash);
    expect(await service.run("getBlockHeader", info.last)).toMatchObject({ gen_utime: now });
  });

  it("getBlock and getBlockByUtime have the masterchain block and the new shard blocks with the transactions of TonClient", async () => {
    await pay(unknownAddress());
    const seqno = (await lastSeqno()) - 1;
    const { shards } = await client.getBlock(seqno);
    expect(shards.map(({ workchain }) => workchain)).toEqual([-1, 0]);
    for (const { workchain, seqno, shard, transactions } of shards) {
      const listed = await v2.getShardTransactions(workchain, seqno, shard);
      expect(
        transactions.map(({ account, lt, hash }) => [Address.parse(account).toRawString(), lt, hash]),
      ).toEqual(listed.map(({ account, lt, hash }) => [account.toRawString(), lt, hash]));
    }
    expect(shards[1]!.transactions.length).toBeGreaterThan(0);
    const [id] = shards;
    const { gen_utime: utime } = await service.run<{ gen_utime: number }>("getBlockHeader", {
      workchain: -1,
      shard: id!.shard,
      seqno,
    });
    expect(await client.getBlockByUtime(utime)).toEqual({ shards });
    for (const asked of [
      client.getBlock(0),
      client.getBlock(seqno + 1000),
      client.getBlockByUtime(2 ** 31 - 1),
    ])
      await expect(asked).rejects.toThrow("Block is out of scope");
  });

  it("getAccount, getAccountLite and isContractDeployed show accounts in every state as TonClient does", async () => {
    const funded = unknownAddress();
    await giveTo(funded, "1500000000");
    const wallet = await pay(unknownAddress());
    const seqno = await lastSeqno();
    for (const address of [unknownAddress(), funded, wallet, elector]) {
      const { account, block } = await client.getAccount(seqno, address);
      const lite = (await client.getAccountLite(seqno, address)).account;
      const state = await v2.getContractState(address);
      expect(block.seqno).toBe(seqno);
      expect(BigInt(account.balance.coins)).toBe(state.balance);
      expect(account.balance.currencies).toEqual({});
      expect(account.last).toEqual(state.lastTransaction);
      const { state: shown, ...others } = account;
      expect(others).toEqual({ ...lite, state: undefined });
      const isActive = state.state === "active";
      expect(await client.isContractDeployed(seqno, address)).toBe(isActive);
      expect(await v2.isContractDeployed(address)).toBe(isActive);
      if (!isActive) expect([shown, lite.state]).toEqual([{ type: "uninit" }, { type: "uninit" }]);
      else {
        const [code, data] = [state.code, state.data].map((boc) => Cell.fromBoc(boc!)[0]!);
        expect(shown).toEqual({ type: "active", code: base64(state.code!), data: base64(state.data!) });
        expect(lite.state).toEqual({ type: "active", codeHash: hash(code!), dataHash: hash(data!) });
      }
    }
    expect((await client.getAccount(seqno, unknownAddress())).account.storageStat).toBeNull();
    expect((await client.getAccount(seqno, wallet)).account.storageStat).toMatchObject({ duePayment: null });
    expect((await client.getAccountLite(1, funded)).account.balance.coins).toBe("0");
  });

  it("isAccountChanged compares with the last transaction", async () => {
    const wallet = await pay(unknownAddress());
    const seqno = await lastSeqno();
    const lt = BigInt((await client.getAccount(seqno, wallet)).account.last!.lt);
    const changedSince = async (since: bigint) =>
      (await client.isAccountChanged(seqno, wallet, since)).changed;
    expect([await changedSince(lt - 1n), await changedSince(lt)]).toEqual([true, false]);
    expect(await client.isAccountChanged(seqno, unknownAddress(), 5n)).toMatchObject({
      changed: true,
      block: { seqno },
    });
  });

  it("getAccountTransactions and getAccountTransactionsParsed page as TonClient's getTransactions", async () => {
    const receiver = unknownAddress();
    for (const amount of ["0.1", "0.2"]) await pay(receiver, amount, comment(`pays ${amount}`));
    await pay(receiver, "0.3", beginCell().storeUint(0x12345678, 32).endCell());
    const { lt, hash } = (await client.getAccount(await lastSeqno(), receiver)).account.last!;
    const start = [receiver, BigInt(lt), Buffer.from(hash, "base64")] as const;
    const known = await v2.getTransactions(receiver, { limit: 20 });
    const found = await client.getAccountTransactions(...start);
    expect(found.map(({ tx }) => tx.hash())).toEqual(known.map((each) => each.hash()));
    const { blocks, transactions } = await client.getAccountTransactionsParsed(...start);
    expect(blocks).toEqual(found.map(({ block }) => block));
    for (const [at, { workchain, shard, seqno }] of blocks.entries())
      expect((await v2.getShardTransactions(workchain, seqno, shard)).map((each) => each.hash)).toContain(
        transactions[at]!.hash,
      );
    expect(transactions.map((each) => each.hash)).toEqual(
      known.map((each) => each.hash().toString("base64")),
    );
    expect(transactions.map(({ parsed }) => [parsed.kind, parsed.amount, parsed.body])).toEqual([
      ["in", "300000000", { type: "payload", cell: boc(beginCell().storeUint(0x12345678, 32).endCell()) }],
      ["in", "200000000", { type: "comment", comment: "pays 0.2" }],
      ["in", "100000000", { type: "comment", comment: "pays 0.1" }],
    ]);
    expect(transactions[1]!.operation).toEqual({
      address: receiver.toString(),
      comment: "pays 0.2",
      items: [{ kind: "ton", amount: "200000000" }],
    });
    const one = await client.getAccountTransactionsParsed(...start, 1);
    expect(one).toEqual({ blocks: blocks.slice(0, 1), transactions: transactions.slice(0, 1) });
  });

  it("getConfig has the dictionary of TonClient's account of the configuration, or some of its parameters", async () => {
    const seqno = await lastSeqno();
    const { config } = await client.getConfig(seqno);
    const { data } = await v2.getContractState(configAccount);
    const root = Cell.fromBoc(data!)[0]!.beginParse().loadRef();
    expect(Cell.fromBoc(Buffer.from(config.cell, "base64"))[0]!.equals(root)).toBe(true);
    expect(config.address).toBe(configAccount.toString());
    expect(BigInt(config.globalBalance.coins)).toBeGreaterThan(10n ** 15n);
    const all = dictionaryOf(config.cell);
    const some = dictionaryOf((await client.getConfig(seqno, [-17, 8, 20, 8])).config.cell);
    expect(some.keys()).toEqual([8, 20]);
    for (const key of some.keys()) expect(some.get(key)!.equals(all.get(key)!)).toBe(true);
    await expect(client.getConfig(seqno, [999])).rejects.toThrow("status code 500");
  });

  it("runMethod runs at the block, with all kinds of arguments and values that TonClient has, and builders", async () => {
    const wallet = await pay(unknownAddress());
    const seqno = await lastSeqno();
    const run = await client.runMethod(seqno, wallet, "seqno");
    expect(run.reader.readNumber()).toBe((await v2.runMethod(wallet, "seqno")).stack.readNumber());
    expect([run.exitCode, run.block.seqno, run.shardBlock.workchain]).toEqual([0, seqno, 0]);
    const args = new TupleBuilder();
    args.writeNumber(5n);
    args.writeNumber(-(2n ** 200n));
    args.writeCell(comment("cell"));
    args.writeSlice(comment("slice"));
    args.writeTuple([{ type: "int", value: 1n }, { type: "null" }, { type: "tuple", items: [] }]);
    // The method takes none of them: they stay below its result.
    const { result } = await client.runMethod(seqno, wallet, "seqno", args.build());
    const legacy = await v2.runMethod(wallet, "seqno", args.build().slice(0, 4));
    expect(serializeTuple(result.slice(0, 5)).equals(serializeTuple(args.build()))).toBe(true);
    expect(legacy.stack.remaining).toBe(5);
    args.writeBuilder(comment("builder"));
    expect((await client.runMethod(seqno, wallet, "seqno", args.build())).result[5]!.type).toBe("builder");
    expect((await client.runMethod(seqno, wallet, "no_such_method")).exitCode).toBe(11);
    const absent = await client.runMethod(seqno, unknownAddress(), "seqno");
    expect([absent.exitCode, absent.result, absent.resultRaw]).toEqual([-256, [], null]);
    // At block 1 the wallet had sent nothing.
    expect((await client.runMethod(1, wallet, "seqno")).reader.readNumber()).toBeLessThan(
      (await client.runMethod(seqno, wallet, "seqno")).reader.readNumber(),
    );
  });

  it("sendMessage sends, and fails for a message that is refused", async () => {
    const { publicKey, secretKey } = keyPairFromSeed(randomBytes(32));
    const contract = WalletContractV4.create({ workchain: 0, publicKey });
    await giveTo(contract.address);
    const receiver = unknownAddress();
    const messages = [internal({ to: receiver, value: "0.25", bounce: false })];
    const sendMode = SendMode.PAY_GAS_SEPARATELY;
    const body = contract.createTransfer({ seqno: 0, secretKey, messages, sendMode });
    const message = beginCell()
      .store(
        storeMessage({
          info: { type: "external-in", dest: contract.address, importFee: 0n },
          init: contract.init,
          body,
        }),
      )
      .endCell();
    expect(await client.sendMessage(message.toBoc())).toEqual({ status: 1 });
    await service.mine(2);
    expect(await v2.getBalance(receiver)).toBe(
      BigInt((await client.getAccountLite(await lastSeqno(), receiver)).account.balance.coins),
    );
    const { lt, hash } = (await client.getAccount(await lastSeqno(), contract.address)).account.last!;
    const { transactions } = await client.getAccountTransactionsParsed(
      contract.address,
      BigInt(lt),
      Buffer.from(hash, "base64"),
    );
    expect(transactions[0]).toMatchObject({
      inMessage: { info: { type: "external-in", src: null }, init: { special: null, splitDepth: null } },
      parsed: { seqno: 0, kind: "out", status: "success", dest: receiver.toString(), amount: "-250000000" },
    });
    for (const refused of [message.toBoc(), Buffer.from("no message")])
      await expect(client.sendMessage(refused)).rejects.toMatchObject({
        response: { status: 500, data: "500 Internal Error" },
      });
  });

  it("open, openAt, provider and providerAt give contracts that read, send and list transactions", async () => {
    const { publicKey, secretKey } = keyPairFromSeed(randomBytes(32));
    const contract = WalletContractV4.create({ workchain: 0, publicKey });
    await giveTo(contract.address);
    const wallet = client.open(contract);
    const friend = unknownAddress();
    for (const seqno of [0, 1]) {
      expect(await wallet.getSeqno()).toBe(seqno);
      const messages = [internal({ to: friend, value: "0.25", bounce: false, body: `transfer ${seqno}` })];
      await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
      await service.mine(2);
    }
    const seqno = await lastSeqno();
    expect(await client.openAt(seqno, contract).getSeqno()).toBe(2);
    expect(await client.openAt(1, contract as WalletContractV4).getBalance()).toBe(0n);
    const provider = client.provider(friend);
    const state = await provider.getState();
    expect([state.balance, state.extracurrency, state.state]).toEqual([
      await v2.getBalance(friend),
      {},
      { type: "uninit" },
    ]);
    expect((await client.providerAt(1, friend).getState()).last).toBeNull();
    const { lt, hash } = state.last!;
    const listed = await provider.getTransactions(friend, lt, hash, 10);
    expect(listed.map((each) => each.hash())).toEqual(
      (await v2.getTransactions(friend, { limit: 10 })).map((each) => each.hash()),
    );
    await expect(client.open(new Failing(wallet.address)).getNothing()).rejects.toThrow("Exit code: 11");
  });

  it("sends its key by a header, and sees a wrong one as a failure", async () => {
    await expect(clientWith("nobody's").getLastBlock()).rejects.toMatchObject({
      response: { status: 401, data: "401 API key does not exist" },
    });
  });
});

describeWithChain("TonClient4 at the first blocks of mainnet", (data) => {
  let app: ChainApp;
  let executor: ExecutorThreads;
  let recorded: TonClient4;
  let recordedV2: TonClient;
  beforeAll(async () => {
    executor = new ExecutorThreads({ threads: 1, deadlineMs: 120_000 });
    app = await startChainApp(firstBlocks(data), undefined, (reader) => {
      return new MethodRunner({ reader, executor, libraries: new CodeLibraries(reader) });
    });
    recorded = new TonClient4({ endpoint: `${app.url}/api/v4`, timeout: 60_000 });
    recordedV2 = new TonClient({ endpoint: `${app.url}/api/v2/jsonRPC` });
  });
  afterAll(async () => {
    await app.close();
    await executor.close();
  });
  const lastHere = async () => (await recorded.getLastBlock()).last.seqno;

  it("getLastBlock, getBlock and getBlockByUtime read blocks of all shards", async () => {
    const seqno = await lastHere();
    expect(seqno).toBe((await recordedV2.getMasterchainInfo()).latestSeqno);
    const { shards } = await recorded.getBlock(seqno);
    expect(new Set(shards.map(({ shard }) => shard)).size).toBe(5);
    for (const { workchain, seqno, shard, transactions } of shards)
      expect(transactions.map((each) => each.hash)).toEqual(
        (await recordedV2.getShardTransactions(workchain, seqno, shard)).map((each) => each.hash),
      );
    expect((await recorded.getBlockByUtime(1)).shards).toEqual((await recorded.getBlock(1)).shards);
    await expect(recorded.getBlock(seqno + 1)).rejects.toThrow("Block is out of scope");
  });

  it("getAccount, getAccountLite, isContractDeployed and isAccountChanged read the elector as TonClient does", async () => {
    const seqno = await lastHere();
    const { account } = await recorded.getAccount(seqno, elector);
    const { balance, code, data: state, lastTransaction } = await recordedV2.getContractState(elector);
    expect([BigInt(account.balance.coins), account.last]).toEqual([balance, lastTransaction]);
    expect(account.state).toEqual({ type: "active", code: base64(code!), data: base64(state!) });
    expect(await recorded.isContractDeployed(seqno, elector)).toBe(true);
    const { lt } = account.last!;
    expect((await recorded.isAccountChanged(seqno, elector, BigInt(lt))).changed).toBe(false);
    expect((await recorded.isAccountChanged(seqno - 1, elector, 0n)).changed).toBe(true);
  });

  it("getAccountTransactions and getAccountTransactionsParsed list the elector's", async () => {
    const { account } = await recorded.getAccount(await lastHere(), elector);
    const start = [elector, BigInt(account.last!.lt), Buffer.from(account.last!.hash, "base64")] as const;
    const known = await recordedV2.getTransactions(elector, { limit: 20 });
    const found = await recorded.getAccountTransactions(...start);
    expect(found.map(({ tx }) => tx.hash())).toEqual(known.map((each) => each.hash()));
    const { transactions, blocks } = await recorded.getAccountTransactionsParsed(...start);
    expect(transactions.map(({ hash, lt }) => [hash, lt])).toEqual(
      known.map((each) => [base64(each.hash()), each.lt.toString()]),
    );
    expect(blocks.map(({ seqno }) => seqno)).toEqual(found.map(({ block }) => block.seqno));
    expect(transactions.map(({ fees, time }) => [fees, time])).toEqual(
      known.map((each) => [each.totalFees.coins.toString(), each.now]),
    );
  });

  it("getConfig and runMethod read the configuration and run the elector at each of the blocks", async () => {
    for (const seqno of [1, await lastHere()]) {
      const { config } = await recorded.getConfig(seqno, [0, 1]);
      const params = dictionaryOf(config.cell);
      expect(params.get(1)!.beginParse().loadBuffer(32)).toEqual(elector.hash);
      expect(params.keys()).toEqual([0, 1]);
      const run = await recorded.runMethod(seqno, elector, "active_election_id");
      expect([run.exitCode, run.block.seqno, run.shardBlock.seqno]).toEqual([0, seqno, seqno]);
    }
    const { reader } = await recorded.runMethod(await lastHere(), elector, "active_election_id");
    const { stack } = await recordedV2.runMethod(elector, "active_election_id");
    expect(reader.readBigNumber()).toBe(stack.readBigNumber());
    const provider = recorded.provider(elector);
    expect((await provider.getState()).state.type).toBe("active");
  });
});

class Failing implements Contract {
  readonly address: Address;
  constructor(address: Address) {
    this.address = address;
  }
  async getNothing(provider: { get(name: string, args: []): Promise<unknown> }): Promise<unknown> {
    return provider.get("no_such_method", []);
  }
}

type V2Block = { workchain: number; seqno: number; shard: string; root_hash: string; file_hash: string };

function idOf({ workchain, seqno, shard, root_hash, file_hash }: V2Block) {
  return { workchain, seqno, shard, rootHash: root_hash, fileHash: file_hash };
}

const base64 = (bytes: Buffer) => bytes.toString("base64");
const boc = (cell: Cell) => cell.toBoc({ idx: false }).toString("base64");
const hash = (cell: Cell) => cell.hash().toString("base64");

function dictionaryOf(text: string) {
  const root = Cell.fromBoc(Buffer.from(text, "base64"))[0]!;
  return Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), root);
}
