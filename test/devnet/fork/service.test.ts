// A fork of a devnet with the sample data, over the liteserver of that devnet.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from "vitest";
import { type Jetton, jettonTransferBody } from "../../../server/devnet/story/contracts/jetton.js";
import { type Participants, participantsOf } from "../../../server/devnet/story/participants.js";
import { jettonsOf } from "../../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import { startDevnet } from "../../../server/process/workers/devnet-library.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Address } from "../../../shared/values/address.js";
import { libraryCell, publishingCode } from "../../helpers/chain/library-cell.js";
import { bocText, codeOf, place } from "../../helpers/contracts/contracts.js";
import { sized, variants } from "../../helpers/effort.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { untilIndexed } from "../../helpers/services/until-indexed.js";
import { startStoryService } from "../../helpers/stories/story-service.js";
import { until } from "../../helpers/until.js";

type Contracts = { contracts: { address: string; kind: string }[] };
type Account = {
  balance: string;
  code: string;
  data: string;
  last_transaction_id: { lt: string; hash: string };
};
type Sent = { transaction_id: { lt: string; hash: string } };
type Message = { source: string; destination: string; created_lt: string };
type Transaction = Sent & { in_msg?: Message; out_msgs: Message[] };

const stranger = new Address(0, new Uint8Array(32).fill(0x71));

describe("the service of a fork", () => {
  let network: DevnetService;
  let fork: DevnetService;
  let people: Participants;
  let contracts: Contracts["contracts"];
  const config = join(folderInRun("tonwire-fork-"), "network.json");

  beforeAll(async () => {
    const wallets = await devnetWallets(publishedSeed);
    people = participantsOf(publishedSeed, wallets);
    network = await startStoryService(undefined, { liteserverPort: 0, liteserverConfig: config });
    ({ contracts } = await network.run<Contracts>("devnet.info"));
    await placeLibraryReader();
    fork = await startDevnetService({ fork: config, devnetSeed: "fork", index: true, mining: "message" });
    await streamsReady(fork);
  });
  afterAll(async () => {
    await fork?.close();
    await network?.close();
  });

  const both = <T>(method: string, params: object) =>
    Promise.all([network, fork].map((service) => service.run<T>(method, params)));
  /** A request to a jetton wallet in the name of its owner. */
  function jettonOrder(jetton: Jetton, owner: Address, to: Address, amount: bigint) {
    const body = jettonTransferBody({ to, amount, excessesTo: owner, forwardTons: 1n, queryId: 7 });
    const wallet = jetton.walletOf(owner).toRaw();
    return { from: owner.toRaw(), to: wallet, value: "200000000", body: bocText(body) };
  }
  const accountOf = (service: DevnetService, address: string) =>
    service.run<Account>("getAddressInformation", { address });

  it("shows every account as the network does, without importing any", async () => {
    const head = await fork.run<{ last: { seqno: number } }>("getMasterchainInfo");
    // Some of each kind.
    for (const { address } of contracts.filter((_, index) => index % sized(3, 1) === 0)) {
      const [theirs, own] = await Promise.all([network, fork].map((each) => accountOf(each, address)));
      for (const key of ["balance", "code", "data", "last_transaction_id"] as const)
        expect(own![key], `${key} of ${address}`).toEqual(theirs![key]);
    }
    expect((await fork.run<typeof head>("getMasterchainInfo")).last.seqno).toBe(head.last.seqno);
  });

  it("runs get-methods of its contracts as the network does", async () => {
    for (const [kind, method] of [
      ["jetton_master", "get_jetton_data"],
      ["jetton_wallet", "get_wallet_data"],
      ["nft_item", "get_nft_data"],
      ["multisig", "get_multisig_data"],
    ]) {
      const { address } = contracts.find((each) => each.kind === kind)!;
      const [theirs, own] = await both<{ stack: unknown; exit_code: number }>("runGetMethod", {
        ...{ address, method, stack: [] },
      });
      expect(own!.exit_code).toBe(0);
      expect(own!.stack).toEqual(theirs!.stack);
    }
  });

  it("reads token data and estimates fees of accounts that it has not imported", async () => {
    const { acorn } = jettonsOf(people);
    const [theirs, own] = await both("getTokenData", { address: acorn.address.toRaw() });
    expect(own).toEqual(theirs);
    const body = bocText(beginCell().storeUint(0, 32).endCell());
    const [expected, estimated] = await both<{ source_fees: object }>("estimateFee", {
      ...{ address: people.ann.address.toRaw(), body, ignore_chksig: true },
    });
    expect(Object.keys(estimated!.source_fees)).toEqual(Object.keys(expected!.source_fees));
  });

  it("runs transactions before the fork again as the network does", async () => {
    const address = people.hana.address.toRaw();
    const [before] = await network.run<Sent[]>("getTransactions", { address, limit: 1 });
    const { lt } = before!.transaction_id;
    const [theirs, own] = await both<{ proof: { level: string }; run: string }>("v3.debug.transaction", {
      account: address,
      lt,
    });
    expect(own).toEqual(theirs);
    expect(own!.proof.level).toBe("exact");
    const [, steps] = await both<{ steps: object[] }>("v3.debug.steps", {
      run: own!.run,
      account: address,
      lt,
    });
    expect(steps!.steps.length).toBeGreaterThan(0);
  });

  it("reads transactions before the fork from the network, and continues them after it", async () => {
    const address = people.hana.address.toRaw();
    const [theirs, own] = await both<Sent[]>("getTransactions", { address, limit: 20 });
    expect(theirs!.length).toBeGreaterThan(1);
    expect(own!.map(({ transaction_id }) => transaction_id)).toEqual(
      theirs!.map(({ transaction_id }) => transaction_id),
    );
    const { lt, hash } = own![0]!.transaction_id;
    const first = {
      address: people.hana.address.toFriendly(),
      lt,
      hash: Buffer.from(hash, "base64").toString("base64url"),
    };
    await expect(fork.run("v4.transactions", first)).rejects.toThrow(
      "the block of a transaction from before the fork is not known",
    );
    await fork.run("devnet.faucet", { address, amount: "1000000000" });
    const after = await fork.run<Sent[]>("getTransactions", { address, limit: own!.length + 1 });
    expect(after).toHaveLength(own!.length + 1);
    expect(after.slice(1).map(({ transaction_id }) => transaction_id)).toEqual(
      own!.map(({ transaction_id }) => transaction_id),
    );
  });

  it("moves jettons in the name of their owner, in the same trace as the network", async () => {
    const { acorn } = jettonsOf(people);
    const [owner, receiver] = [people.ben.address, people.dan.address];
    const [from, to] = [acorn.walletOf(owner), acorn.walletOf(receiver)];
    const before = await jettonsIn(fork, from);
    const message = jettonOrder(acorn, owner, receiver, 1_000_000_000n);
    const traces = [];
    for (const service of [fork, network]) {
      const { tx_hash } = await service.run<{ tx_hash: string }>("devnet.impersonate", message);
      await untilIndexed(service, await settled(service));
      traces.push(await runsIn(service, tx_hash));
    }
    expect(traces[0]).toEqual(traces[1]);
    expect(traces[0]!.length).toBeGreaterThan(3);
    expect(before - (await jettonsIn(fork, from))).toBe(1_000_000_000n);
    expect(await jettonsIn(fork, to)).toBe(await jettonsIn(network, to));
    const { json } = await fork.get(`/api/v3/jetton/wallets?address=${from.toRaw()}`);
    expect((json as { jetton_wallets: { balance: string; owner: string }[] }).jetton_wallets).toMatchObject([
      { balance: String(await jettonsIn(fork, from)), owner: owner.toRawUpper() },
    ]);
  });

  it("streams pending and finalized transactions of an account that it has not imported", async () => {
    const address = people.cleo.address.toRawUpper();
    const choice = { types: ["transactions"], addresses: [address], min_finality: "pending" };
    const events = RawEventStream.open(fork.url, choice, { key: fork.key });
    onTestFinished(() => events.close());
    await until("the stream", () => events.frames.length > 0);
    await fork.run("devnet.setMining", { mode: "manual" });
    await fork.run("sendBoc", { boc: await orderOf(people.cleo) });
    const has = (finality: string) => events.text.includes(`"type":"transactions","finality":"${finality}"`);
    await until("pending events", () => has("pending"));
    expect(has("finalized")).toBe(false);
    await fork.mine(3);
    await until("finalized events", () => has("finalized"));
    await fork.run("devnet.setMining", { mode: "message" });
  });

  it("emulates the message of a wallet that it has not imported, with its trace", async () => {
    const head = await fork.run("getMasterchainInfo");
    const { status, json } = await fork.post("/api/emulate/v1/emulateTrace", {
      boc: await orderOf(people.finn),
    });
    expect(status).toBe(200);
    const { transactions } = json as { transactions: Record<string, { account: string }> };
    const accounts = Object.values(transactions).map(({ account }) => account);
    expect(accounts.sort()).toEqual([people.finn.address.toRawUpper(), stranger.toRawUpper()].sort());
    expect(await fork.run("getMasterchainInfo")).toMatchObject({ last: (head as { last: object }).last });
  });

  /** A payment of a wallet of the network to a stranger. */
  async function orderOf({ address, wallet }: Participants["cleo"]): Promise<string> {
    const { stack } = await fork.run<{ stack: [string, string][] }>("runGetMethod", {
      ...{ address: address.toRaw(), method: "seqno", stack: [] },
    });
    const payments = [{ to: stranger, value: 1_000_000_000n, bounce: false }];
    return bocText(wallet.order({ seqno: Number(stack[0]![1]), validUntil: 0xffffffff, payments }));
  }

  it("locates transactions of messages before the fork, and after it", async () => {
    const { faucet } = await network.run<{ faucet: { address: string } }>("devnet.info");
    const page = { address: faucet.address, limit: 30 };
    const theirs = await network.run<Transaction[]>("getTransactions", page);
    const earlier = theirs.flatMap(({ out_msgs }) => out_msgs).filter(({ destination }) => destination);
    const ends = ({ source, destination, created_lt }: Message) => ({ source, destination, created_lt });
    for (const message of earlier.slice(0, 2))
      for (const method of ["tryLocateTx", "tryLocateResultTx", "tryLocateSourceTx"])
        expect(await fork.run(method, ends(message)), method).toEqual(
          await network.run(method, ends(message)),
        );
    const to = new Address(0, new Uint8Array(32).fill(0x72)).toRaw();
    await fork.run("devnet.faucet", { address: to });
    const [received] = await fork.run<Transaction[]>("getTransactions", { address: to, limit: 1 });
    expect(await fork.run("tryLocateTx", ends(received!.in_msg!))).toEqual(received);
    const absent = { ...ends(earlier[0]!), destination: to };
    expect(await fork.rpc("tryLocateTx", absent)).toMatchObject({ error: { data: { kind: "absent" } } });
  });

  const publisher = new Address(-1, new Uint8Array(32).fill(0x66));
  const reading = new Address(0, new Uint8Array(32).fill(0x67)).toRaw();

  /** On the network, a published library and a contract whose data name it. */
  async function placeLibraryReader(): Promise<void> {
    const library = beginCell().storeUint(7, 32).endCell();
    const balance = "9000000000";
    await place(network, { address: publisher.toRaw(), code: publishingCode(library), balance });
    const call = { from: stranger.toRaw(), to: publisher.toRaw(), value: "1000000000" };
    await network.run("devnet.impersonate", call);
    // DROP; c4 PUSH; CTOS; LDREF; DROP; CTOS; 32 LDU; DROP: the number in the library that the data name.
    const code = codeOf("30ED44D0D430D0D31F30");
    const data = beginCell().storeRef(libraryCell(library)).endCell();
    await place(network, { address: reading, code, data, balance });
    await network.mine(2);
  }

  it("fetches libraries that get-methods and messages need, as the network has them", async () => {
    const call = { address: reading, method: "number", stack: [] };
    const [theirs, own] = await both<{ exit_code: number; stack: unknown }>("runGetMethod", call);
    expect(own).toMatchObject({ exit_code: 0, stack: [["num", "0x7"]] });
    expect(own!.stack).toEqual(theirs!.stack);
    const { status } = await fork.run<{ status: { success: boolean } }>("devnet.impersonate", {
      ...{ from: stranger.toRaw(), to: reading, value: "1000000000", status: true },
    });
    expect(status.success).toBe(true);
  });

  it("delivers a trace over new accounts within the blocks of one call of devnet.mine", async () => {
    await fork.run("devnet.setMining", { mode: "manual" });
    const { devDollar } = jettonsOf(people);
    const [owner, receiver] = [people.dan.address, people.gus.address];
    const to = devDollar.walletOf(receiver);
    await fork.run("devnet.impersonate", jettonOrder(devDollar, owner, receiver, 5n));
    await fork.mine(6);
    expect(await jettonsIn(fork, to)).toBe(5n);
    await fork.run("devnet.setMining", { mode: "message" });
  });

  describe("devnet.fork", () => {
    type Info = { fork: { block: { seqno: number } } };

    it("begins anew at the newest block or another one, where a reset returns to", async () => {
      const { acorn } = jettonsOf(people);
      const [moved, receiver] = [people.ben, people.dan].map(({ address }) => acorn.walletOf(address)) as [
        Address,
        Address,
      ];
      const first = (await fork.run<Info>("devnet.info")).fork.block.seqno;
      const order = (amount: bigint) => jettonOrder(acorn, people.ben.address, people.dan.address, amount);
      await network.run("devnet.impersonate", order(77n));
      const newest = await network.mine(3);
      const { block } = await fork.run<{ block: { seqno: number } }>("devnet.fork");
      expect(block.seqno).toBeLessThan(5);
      for (const wallet of [moved, receiver])
        expect(await jettonsIn(fork, wallet)).toBe(await jettonsIn(network, wallet));
      const info = await fork.run<Info>("devnet.info");
      expect(info.fork.block.seqno).toBeGreaterThanOrEqual(newest);
      await fork.run("devnet.faucet", { address: people.hana.address.toRaw(), amount: "1000000000" });
      await fork.run("devnet.impersonate", order(1n));
      expect(await jettonsIn(fork, receiver)).toBe((await jettonsIn(network, receiver)) + 1n);
      await fork.run("devnet.reset");
      expect(await jettonsIn(fork, receiver)).toBe(await jettonsIn(network, receiver));
      await expect(fork.run("devnet.exportState")).rejects.toThrow("began anew");
      await expect(fork.run("devnet.rollback", { blocks: 2 })).rejects.toThrow("stays");
      await fork.run("devnet.fork", { block: first });
      expect(await jettonsIn(fork, moved)).toBeGreaterThan(await jettonsIn(network, moved));
      await untilIndexed(fork, block.seqno);
    });

    it("refuses a devnet that is no fork, and a block that the network does not have", async () => {
      await expect(network.run("devnet.fork")).rejects.toThrow("not a fork");
      await expect(fork.run("devnet.fork", { block: 1_000_000 })).rejects.toThrow();
    });
  });

  describe("startDevnet", () => {
    test.each(variants(["network"], ["url"]))("begins where the %s stands", async (kind) => {
      const from = kind === "url" ? { url: network.url, key: network.key } : { network: config };
      const devnet = await startDevnet({ fork: from, index: false });
      onTestFinished(() => devnet.close());
      const address = people.hana.address.toRaw();
      const answer = await fetch(`${devnet.url}/api/v2/getAddressBalance?address=${address}`);
      const result = await network.run("getAddressBalance", { address });
      expect(await answer.json()).toMatchObject({ ok: true, result });
      expect(devnet.wallets).toHaveLength(7);
      await devnet.mine();
    });

    test.each([
      [{}, "the option fork needs a network or a url"],
      [{ network: "nowhere.json" }, /nowhere\.json/],
      [{ network: config, block: 0 }, "fork.block is 0; allowed: an integer from 1 to 2147483646"],
      [{ network: config, from: 3 }, "the option fork has no member from"],
      [{ network: config, jettons: ["acorn"] }, /"acorn"/],
      [
        { network: config, block: 1_000_000 },
        /network\.json has no block 1000000 yet: its newest one is \d+/,
      ],
    ])("refuses a fork of %j", async (from, problem) => {
      await expect(startDevnet({ fork: from, index: false })).rejects.toThrow(problem);
    });
  });

  async function settled(service: DevnetService): Promise<number> {
    const { waiting } = await service.run<{ waiting: { queued: number } }>("devnet.settle", {});
    if (waiting.queued === 0 && service === fork)
      return (await service.run<{ last: { seqno: number } }>("getMasterchainInfo")).last.seqno;
    return service.mine(2);
  }

  async function jettonsIn(service: DevnetService, wallet: Address): Promise<bigint> {
    const { stack } = await service.run<{ stack: [string, string][] }>("runGetMethod", {
      ...{ address: wallet.toRaw(), method: "get_wallet_data", stack: [] },
    });
    return BigInt(stack[0]![1]);
  }

  /** The accounts of a trace with their results and gas. */
  async function runsIn(service: DevnetService, hash: string) {
    const { json } = await service.get(`/api/v3/traces?tx_hash=${encodeURIComponent(hash)}`);
    const [trace] = (json as { traces: { transactions: Record<string, Run> }[] }).traces;
    return Object.values(trace!.transactions)
      .map(({ account, description: { compute_ph }, out_msgs }) => ({
        account,
        exit: compute_ph.exit_code,
        gas: compute_ph.gas_used,
        sent: out_msgs.length,
      }))
      .sort((a, b) => (a.account < b.account ? -1 : 1));
  }
  type Run = {
    account: string;
    description: { compute_ph: { exit_code: number; gas_used: string } };
    out_msgs: unknown[];
  };
});
