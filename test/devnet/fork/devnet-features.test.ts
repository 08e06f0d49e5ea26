// The controls, streams and clients of a devnet on a fork of a devnet with the sample data.
import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from "@ton/core";
import { TonClient, WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { DevnetInfoResult } from "../../../client/api.js";
import { beginCell as beginLibrary } from "../../../shared/ton/cells/builder.js";
import { Cell as Library } from "../../../shared/ton/cells/cell.js";
import { libraryCell, publishingCode } from "../../helpers/chain/library-cell.js";
import { bocText, codeOf } from "../../helpers/contracts/contracts.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { openSocket } from "../../helpers/http/socket.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { prefundedWallet } from "../../helpers/services/devnet-wallet.js";
import { startFork, startForkedNetwork } from "../../helpers/services/forked.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

type Listed = { transactions: { hash: string; account: string }[] };
type Message = { source: string; destination: string; created_lt: string };
type Transaction = {
  transaction_id: { lt: string; hash: string };
  in_msg?: Message;
  out_msgs: Message[];
};

const stranger = `0:${"71".repeat(32)}`;

describe("a fork", () => {
  let network: DevnetService;
  let fork: DevnetService;
  let client: TonClient;
  let seqnoBefore: number;
  /** A wallet of the network, which begins with a key and money. */
  let wallet: Awaited<ReturnType<typeof openWallet>>;
  beforeAll(async () => {
    const forked = await startForkedNetwork();
    network = forked.network;
    fork = await startFork({ fork: forked.config, index: true });
    await streamsReady(fork);
    client = new TonClient({ endpoint: `${fork.url}/api/v2/jsonRPC`, apiKey: fork.key });
    wallet = await openWallet();
    seqnoBefore = await wallet.contract.getSeqno();
  });
  afterAll(async () => {
    await fork?.close();
    await network?.close();
  });
  // Each test begins where the network stands.
  beforeEach(async () => {
    await fork.run("devnet.setMining", { mode: "message" });
    await fork.run("devnet.reset");
  });

  async function openWallet() {
    const { publicKey, secretKey, address } = await prefundedWallet(network, "v4r2");
    const contract = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
    const pay = async (to: string, value = "1", seqno?: number) =>
      contract.sendTransfer({
        ...{ seqno: seqno ?? (await contract.getSeqno()), secretKey },
        messages: [internal({ to: Address.parse(to), value: toNano(value), bounce: false })],
        sendMode: SendMode.PAY_GAS_SEPARATELY,
      });
    return { contract, secretKey, address, pay, sender: contract.sender(secretKey) };
  }

  const balanceOf = async (address: string, { run } = fork) =>
    BigInt(await run<string>("getAddressBalance", { address }));
  const head = async () => (await fork.run<{ last: { seqno: number } }>("getMasterchainInfo")).last.seqno;

  it("streams pending and finalized transactions of an account that it has not imported", async () => {
    const choice = { types: ["transactions"], addresses: [wallet.address], min_finality: "pending" };
    const { raw, ...socket } = await openSocket(fork.url, {
      path: `/api/streaming/v2/ws?api_key=${fork.key}`,
    });
    onTestFinished(() => raw.terminate());
    const texts: string[] = [];
    raw.on("message", (data) => texts.push(String(data)));
    socket.send({ operation: "subscribe", id: "1", ...choice });
    await until("the subscription", () => texts.length > 0);
    const events = RawEventStream.open(fork.url, choice, { key: fork.key });
    onTestFinished(() => events.close());
    await until("the stream", () => events.frames.length > 0);
    await fork.run("devnet.setMining", { mode: "manual" });
    await wallet.pay(stranger);
    const has = (finality: string) => (text: string) =>
      text.includes(`"type":"transactions","finality":"${finality}"`);
    await until("pending events", () => texts.some(has("pending")) && has("pending")(events.text));
    expect(texts.some(has("finalized"))).toBe(false);
    await fork.mine(3);
    await until("finalized events", () => texts.some(has("finalized")) && has("finalized")(events.text));
  });

  it("emulates the message of a wallet that it has not imported, with its trace", async () => {
    const seqno = await head();
    const body = wallet.contract.createTransfer({
      ...{ seqno: seqnoBefore, secretKey: wallet.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY },
      messages: [internal({ to: Address.parse(stranger), value: toNano(1), bounce: false })],
    });
    const message = external({ to: wallet.contract.address, body });
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64");
    const before = await balanceOf(stranger);
    const { status, json } = await fork.post("/api/emulate/v1/emulateTrace", { boc });
    expect(status).toBe(200);
    const { transactions } = json as { transactions: Record<string, { account: string }> };
    const accounts = Object.values(transactions).map(({ account }) => account);
    expect(accounts.sort()).toEqual([wallet.address, stranger].map(upper).sort());
    expect(await head()).toBe(seqno);
    expect(await balanceOf(stranger)).toBe(before);
  });

  it("goes back to a snapshot, over blocks, and to its beginning, where accounts are as in the network", async () => {
    const theirs = await balanceOf(wallet.address, network);
    const { id } = await fork.run<{ id: string }>("devnet.snapshot");
    const begun = await head();
    await wallet.pay(stranger, "2");
    expect(await balanceOf(stranger)).toBeGreaterThan(toNano("1.9"));
    await fork.run("devnet.revert", { id });
    expect(await balanceOf(wallet.address)).toBe(theirs);
    expect(await balanceOf(stranger)).toBe(0n);
    expect(await wallet.contract.getSeqno()).toBe(seqnoBefore);

    await wallet.pay(stranger, "3");
    expect(await balanceOf(stranger)).toBeGreaterThan(toNano("2.9"));
    await fork.run("devnet.rollback", { blocks: (await head()) - begun });
    expect(await balanceOf(wallet.address)).toBe(theirs);
    await wallet.pay(stranger, "4");
    await fork.run("devnet.reset");
    expect(await balanceOf(wallet.address)).toBe(theirs);
    expect(await balanceOf(stranger)).toBe(0n);
    const { transactions } = await fork.run<Listed>("v3.transactions", { account: [stranger] });
    expect(transactions).toEqual([]);
  });

  it("locates transactions of messages before the fork, and after it", async () => {
    const { faucet } = await network.run<DevnetInfoResult>("devnet.info");
    const theirs = await network.run<Transaction[]>("getTransactions", {
      address: faucet.address,
      limit: 30,
    });
    const earlier = theirs.flatMap(({ out_msgs }) => out_msgs).filter(({ destination }) => destination);
    expect(earlier.length).toBeGreaterThan(3);
    const ends = ({ source, destination, created_lt }: Message) => ({ source, destination, created_lt });
    for (const message of earlier.slice(0, 5))
      for (const method of ["tryLocateTx", "tryLocateResultTx", "tryLocateSourceTx"])
        expect(await fork.run(method, ends(message)), method).toEqual(
          await network.run(method, ends(message)),
        );
    await wallet.pay(stranger);
    const [received] = await fork.run<Transaction[]>("getTransactions", { address: stranger, limit: 1 });
    expect(await fork.run("tryLocateTx", ends(received!.in_msg!))).toEqual(received);
    const absent = { ...ends(earlier[0]!), destination: stranger };
    expect(await fork.rpc("tryLocateTx", absent)).toMatchObject({ error: { data: { kind: "absent" } } });
  });

  it("fetches libraries that get-methods and messages need, as the network has them", async () => {
    const library = beginLibrary().storeUint(7, 32).endCell();
    const publisher = `-1:${"66".repeat(32)}`;
    const account = `0:${"67".repeat(32)}`;
    const rich = { balance: "9000000000", data: bocText(Library.empty) };
    await network.run("devnet.setAccount", {
      ...{ ...rich, address: publisher, code: bocText(publishingCode(library)) },
    });
    await network.run("devnet.impersonate", { from: stranger, to: publisher, value: "1000000000" });
    // DROP; c4 PUSH; CTOS; LDREF; DROP; CTOS; 32 LDU; DROP: the number in the library that the data name.
    const code = bocText(codeOf("30ED44D0D430D0D31F30"));
    const data = bocText(beginLibrary().storeRef(libraryCell(library)).endCell());
    await network.run("devnet.setAccount", { ...rich, address: account, code, data });
    await network.mine(2);
    await fork.run("devnet.fork");
    const call = { address: account, method: "number", stack: [] };
    const answer = await fork.run<{ exit_code: number; stack: unknown }>("runGetMethod", call);
    expect(answer).toMatchObject({ exit_code: 0, stack: [["num", "0x7"]] });
    expect(answer.stack).toEqual((await network.run<typeof answer>("runGetMethod", call)).stack);
    const { status } = await fork.run<{ status: { success: boolean } }>("devnet.impersonate", {
      ...{ from: stranger, to: account, value: "1000000000", status: true },
    });
    expect(status.success).toBe(true);
  });
});

const upper = (address: string) => Address.parse(address).toRawString().toUpperCase();
