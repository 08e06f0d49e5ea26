import { expect, it, onTestFinished } from "vitest";
import { Jetton, jettonTransferBody } from "../../server/devnet/story/jetton.js";
import { parseBocRoot } from "../../shared/ton/cells/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { decode, encode } from "../../shared/ton/tlb/codec.js";
import { Message, normalizeExternal } from "../../shared/ton/tlb/message.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { freePort } from "../helpers/free-port.js";
import { TonwireProcess } from "../helpers/services/command.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";
import { MyTonWalletStream } from "./mytonwallet-stream.js";
import { WalletkitStream } from "./walletkit-stream.js";

// Streaming clients of wallets over a devnet in a separate process, which is killed and restarted.

const key = "k";

/** A devnet that keeps its chain and its index, on the same port whenever it is started. */
async function devnetProcess() {
  const [port, data] = [await freePort(), temporaryFolder()];
  const url = `http://127.0.0.1:${port}`;
  const env = { TONWIRE_DEVNET_KEY: key, TONWIRE_DATA: data, PORT: String(port), TONWIRE_ADMIN_PORT: "0" };
  const flags = ["--story", "false", "--mining", "manual", "--clock", "fixed"];
  const ask = async (path: string, body?: object) => {
    const headers = { "Content-Type": "application/json", "X-API-Key": key };
    const init = body && { method: "POST", body: JSON.stringify(body) };
    return fetch(url + path, { headers, ...init });
  };
  let running: TonwireProcess;
  const start = async () => {
    running = new TonwireProcess(flags, { env });
    await running.printed(/serves \S+ at (\S+)/);
    await until("the streams", async () => (await ask("/api/streaming/healthz")).status === 200);
  };
  await start();
  const run = async <T>(method: string, params: object = {}): Promise<T> => {
    const answer = await ask("/jsonRPC", { jsonrpc: "2.0", id: 1, method, params });
    const { result, error } = (await answer.json()) as { result: T; error?: object };
    if (error) throw new Error(`${method} is refused: ${JSON.stringify(error)}`);
    return result;
  };
  return {
    url,
    run,
    mine: (blocks = 2) => run("devnet.mine", { blocks }),
    get: async <T>(path: string) => (await (await ask(path)).json()) as T,
    async restart() {
      running.send("SIGKILL");
      await running.ended;
      await start();
    },
  };
}

/** A machine that stood still may have missed the time between a block and its index. */
const expectInOrder = (levels: readonly string[]) =>
  expect(["pending,confirmed,finalized", "pending,finalized"]).toContain(levels.join());

it("streams of wallets follow transfers to the end, also over the death of the process", async () => {
  const devnet = await devnetProcess();
  const wallet = new TestWallet("streaming wallet", "v4r2");
  const own = wallet.address.toRawUpper();
  const unbounceable = wallet.address.toFriendly({ bounceable: false });
  const bounceable = wallet.address.toFriendly({ bounceable: true });
  const content = beginCell()
    .storeUint(1, 8)
    .storeBytes(new TextEncoder().encode("https://a.invalid/b"))
    .endCell();
  const jetton = new Jetton(wallet.address, content);
  const receiver = new Address(0, new Uint8Array(32).fill(0x1d));
  const hashOf = (message: Uint8Array) =>
    encode(Message, normalizeExternal(decode(Message, parseBocRoot(message)))).hash();
  const send = async (message: Uint8Array) => {
    await devnet.run("sendBoc", { boc: Buffer.from(message).toString("base64") });
    const hash = Buffer.from(hashOf(message));
    return { base64: hash.toString("base64"), hex: `0x${hash.toString("hex")}` };
  };
  await devnet.run("devnet.faucet", { address: own });
  await devnet.mine();
  const mint = { to: wallet.address, amount: 1000n, tons: ton / 10n, queryId: 1 };
  const deploy = {
    to: jetton.address,
    value: ton,
    init: jetton.init,
    bounce: false,
    body: jetton.mintBody(mint),
  };
  await send(wallet.pay(deploy));
  await devnet.mine(4);

  const walletkit = new WalletkitStream(devnet.url, key);
  onTestFinished(() => walletkit.disconnect());
  for (const type of ["balance", "transactions", "jettons"] as const) walletkit.watch(type, own);
  const myTonWallet = new MyTonWalletStream(devnet.url, unbounceable);
  onTestFinished(() => myTonWallet.close());
  await until(
    "both subscriptions",
    () => walletkit.statuses.includes("subscribed") && myTonWallet.isConnected,
  );

  /** The events that both received about a message, from its emulation until it is final. */
  const follow = async (message: Uint8Array, blocks: number) => {
    const { base64, hex } = await send(message);
    const told = () => walletkit.ofType("transactions").filter(({ traceHash }) => traceHash === hex);
    const shown = () => myTonWallet.activities.filter((update) => update.message === base64);
    await until("what is expected", () => told().length > 0 && shown().length > 0);
    await devnet.mine(blocks);
    await until("what is final", () =>
      [told().at(-1)!.status, shown().at(-1)!.finality].every((level) => level === "finalized"),
    );
    expectInOrder(told().map(({ status }) => status));
    expectInOrder(shown().map(({ finality }) => finality));
    const { address, transactions } = told().at(-1)!;
    expect(address).toBe(bounceable);
    // A trace is followed alone, so its transactions are the newest ones of the account.
    const listed = await devnet.get(`/api/v3/transactions?account=${own}&limit=${transactions.length}`);
    expect(listed).toMatchObject({ transactions });
    return shown().map(({ actions }) => actions.map(({ type }) => type));
  };
  const checkBalance = async () => {
    const balance = await devnet.run<string>("getAddressBalance", { address: own });
    await until("the balance", () => walletkit.ofType("balance").at(-1)?.rawBalance === balance);
    await until("the balance", () => {
      const last = myTonWallet.balances.findLast(({ token }) => token === undefined);
      return last?.balance === BigInt(balance) && last.finality === "finalized";
    });
  };

  const transfer = { to: receiver, value: ton, bounce: false };
  for (const types of await follow(wallet.pay(transfer), 2)) expect(types).toEqual(["ton_transfer"]);
  await checkBalance();

  await devnet.restart();
  await until("both to come back", () => walletkit.connections === 2 && myTonWallet.connections === 2);
  await until("the subscriptions", () => {
    const subscriptions = walletkit.statuses.filter((status) => status === "subscribed");
    return subscriptions.length >= 2 && myTonWallet.isConnected;
  });
  const body = jettonTransferBody({ to: receiver, amount: 400n, excessesTo: wallet.address, queryId: 2 });
  const jettons = { to: jetton.walletOf(wallet.address), value: ton / 5n, body };
  // The receiver's jetton wallet does not exist before.
  for (const types of await follow(wallet.pay(jettons), 4)) expect(types).toEqual(["jetton_transfer"]);
  const master = jetton.address.toFriendly({ bounceable: true });
  await until("the jettons", () => walletkit.ofType("jettons").at(-1)?.rawBalance === "600");
  expect(walletkit.ofType("jettons").at(-1)).toMatchObject({
    ownerAddress: bounceable,
    masterAddress: master,
  });
  await until("the jettons", () => {
    const last = myTonWallet.balances.findLast(({ token }) => token === master);
    return last?.balance === 600n && last.finality === "finalized";
  });
  await checkBalance();

  // Only one of two messages with one sequence number is executed.
  const twin = new TestWallet("streaming wallet", "v4r2");
  for (let seqno = 0; seqno < 3; seqno++) twin.pay(transfer);
  const rivals = [await send(wallet.pay(transfer)), await send(twin.pay({ ...transfer, value: 2n * ton }))];
  await until("both to be expected", () =>
    rivals.every(({ base64 }) => myTonWallet.activities.some(({ message }) => message === base64)),
  );
  await devnet.mine();
  await until("one to be taken back", () => myTonWallet.invalidated.length === 1);
  const [gone] = rivals.filter(({ base64 }) => base64 === myTonWallet.invalidated[0]);
  await until("that it is gone", () =>
    walletkit
      .ofType("transactions")
      .some(({ traceHash, status }) => traceHash === gone!.hex && status === "invalidated"),
  );
  expect(myTonWallet.activities.findLast(({ message }) => message === gone!.base64)!.actions).toEqual([]);

  walletkit.unwatch("balance", own);
  walletkit.unwatch("transactions", own);
  walletkit.unwatch("jettons", own);
  await until("the end of the subscription", () => walletkit.statuses.includes("unsubscribed"));
  expect([walletkit.strange, myTonWallet.strange]).toEqual([[], []]);
});
