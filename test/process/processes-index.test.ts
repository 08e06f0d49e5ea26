import { expect, test } from "vitest";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { serializeBoc } from "../../shared/ton/cells/boc.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { itemAt } from "../../shared/values/lookups.js";
import { Ledger, ok, Receiver } from "../helpers/peers/webhook-receiver.js";
import { SeveralProcesses } from "../helpers/services/several-processes.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { until } from "../helpers/until.js";
import { eventSource, socketSubscriber, watcher } from "./stream-subscribers.js";

const slow = { timeout: 600_000 };
const address = `0:${"AB".repeat(32)}`;

describeServers("A service of several processes with an index", (_, server) => {
  async function start(count: number) {
    const service = await SeveralProcesses.start(count, { databaseUrl: await server().database() });
    await untilIndexed(service, 1);
    // One process answered; the health check leaves out one that does not answer in time.
    await until("the index in every process", async () => {
      const { processes } = await service.status();
      return processes.every(({ state, failure }) => state === "ready" && failure === null);
    });
    const give = () => service.rpc("devnet.faucet", { address, amount: "1000" });
    /** Logical times of the account's transactions, by a process that is left to chance. */
    const transactions = async () => {
      const { json } = await service.get(`/api/v3/transactions?account=${address}&limit=1000&sort=asc`);
      return (json as { transactions: { lt: string }[] }).transactions.map(({ lt }) => lt);
    };
    return { service, give, transactions };
  }

  test("reads in every process what one has answered, and delivers webhooks once", slow, async () => {
    const { service, give, transactions } = await start(3);
    const receiver = await Receiver.start();
    const webhook = { url: receiver.url, kind: "transactions", accounts: [address] };
    // A process refuses webhooks until its streams have started.
    const { id, secret } = await until("the streams", () =>
      service.rpc<{ id: string; secret: string }>("v3.webhooks.create", webhook).catch(() => undefined),
    );
    const ledger = new Ledger(() => secret);
    receiver.answer = (response, request) => {
      ledger.take(request).then(
        () => ok(response, request),
        (error) => response.writeHead(400).end(String(error)),
      );
    };
    for (let gift = 1; gift <= 10; gift++) {
      await give();
      const counts = await Promise.all(Array.from({ length: 6 }, async () => (await transactions()).length));
      expect(new Set(counts)).toEqual(new Set([gift]));
    }
    await until("ten deliveries", () => ledger.taken.length >= 10);
    expect(ledger.taken.map(({ webhook }) => webhook)).toEqual(Array(10).fill(id));
    expect(new Set(ledger.taken.map((each) => each.id)).size).toBe(10);
    expect((await service.status()).processes).toHaveLength(3);
  });

  test("shows in every process what was sent to one and waits for a block", slow, async () => {
    const { service } = await start(3);
    const { prefunded } = await devnetWallets("tonwire");
    const [{ wallet }, receiver] = [itemAt(prefunded, 0), itemAt(prefunded, 1).wallet.address];
    const sender = wallet.address.toRawUpper();
    await service.rpc("devnet.setMining", { mode: "manual" });
    const pendingAt = async () => {
      const { json } = await service.get(`/api/v3/pendingTransactions?account=${sender}`);
      return (json as { transactions: object[] }).transactions.length;
    };
    const everywhere = async () => [...new Set(await Promise.all(Array.from({ length: 9 }, pendingAt)))];
    for (let seqno = 0; seqno < 3; seqno++) {
      expect(await everywhere()).toEqual([0]);
      const payments = [{ to: receiver, value: 1_000_000n }];
      const order = wallet.order({ seqno, validUntil: 0xffffffff, payments });
      await service.rpc("sendBoc", { boc: bytesToBase64(serializeBoc(order)) });
      expect(await everywhere()).toEqual([1]);
      await service.rpc("devnet.mine", { blocks: 2 });
    }
  });

  test("streams lose nothing when the process ends that they came from", slow, async () => {
    const { service, give, transactions } = await start(2);
    const params = { kind: "transactions", accounts: [address], from: { mc_seqno: 1 } } as const;
    const url = () => service.url;
    const streams = [socketSubscriber(url, params), eventSource(url, params), watcher([service.url], params)];
    const has = (count: number) =>
      until(
        () => `${count} in ${streams.map(({ name, ledger }) => `${name}: ${ledger.kept.length}`).join(", ")}`,
        () => streams.every(({ ledger }) => ledger.kept.length >= count),
      );
    let given = 0;
    for (const killed of [2, 1, 2]) {
      for (let gift = 0; gift < 4; gift++, given++) await give();
      await has(given);
      await service.kill(killed);
    }
    for (let gift = 0; gift < 4; gift++, given++) await give();
    await has(given);
    const lts = await transactions();
    expect(lts).toHaveLength(given);
    for (const { ledger } of streams) {
      expect(ledger.disorder).toEqual([]);
      const sent = ledger.kept.map(({ event }) => (event as { transaction: { lt: string } }).transaction.lt);
      expect(sent).toEqual(lts);
    }
  });
});
