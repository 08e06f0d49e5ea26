import { afterAll, beforeAll, expect, test } from "vitest";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { TestWallet } from "../helpers/chain/devnet.js";
import { SeveralProcesses } from "../helpers/services/several-processes.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { until } from "../helpers/until.js";
import { eventSource, socketSubscriber, watcher } from "./stream-subscribers.js";

const slow = { timeout: 600_000 };
const masterchainInfo = "/api/v2/getMasterchainInfo";
const address = `0:${"AB".repeat(32)}`;

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

describeServers("A service of several processes with an index", (_, server) => {
  let service: SeveralProcesses;
  beforeAll(async () => {
    service = await SeveralProcesses.start(2, {
      databaseUrl: await server().database(),
      outlivesTest: true,
    });
    await untilIndexed(service, 1);
    // One process answered; the health check leaves out one that does not answer in time.
    await until("the index in every process", async () => {
      const { processes } = await service.status();
      return processes.every(({ state, failure }) => state === "ready" && failure === null);
    });
  });
  afterAll(() => service?.end());

  const give = () => service.rpc("devnet.faucet", { address, amount: "1000" });
  /** Logical times of the account's transactions, by a process that is left to chance. */
  const transactions = async () => {
    const { json } = await service.get(`/api/v3/transactions?account=${address}&limit=1000&sort=asc`);
    return (json as { transactions: { lt: string }[] }).transactions.map(({ lt }) => lt);
  };
  test("shows in every process what was sent to one and waits for a block", slow, async () => {
    const wallet = new TestWallet("processes", "v4r2");
    const sender = wallet.address.toRawUpper();
    await service.rpc("devnet.faucet", { address: sender });
    await service.rpc("devnet.setMining", { mode: "manual" });
    const pendingAt = async () => {
      const { json } = await service.get(`/api/v3/pendingTransactions?account=${sender}`);
      return (json as { transactions: object[] }).transactions.length;
    };
    const everywhere = async () => [...new Set(await Promise.all(times(6, pendingAt)))];
    for (let round = 0; round < 2; round++) {
      expect(await everywhere()).toEqual([0]);
      const to = new Address(0, new Uint8Array(32).fill(9));
      const payment = wallet.pay({ to, value: 1_000_000n, bounce: false });
      await service.rpc("sendBoc", { boc: bytesToBase64(payment) });
      expect(await everywhere()).toEqual([1]);
      await service.rpc("devnet.mine", { blocks: 2 });
    }
    await service.rpc("devnet.setMining", { mode: "message" });
  });

  test("answers on while a process is killed, and its streams lose nothing", slow, async () => {
    let isOver = false;
    let answered = 0;
    const failuresOf = async () => {
      let failures = 0;
      while (!isOver)
        await service.get(masterchainInfo).then(
          ({ status }) => {
            if (status !== 200) failures++;
            answered++;
          },
          () => failures++,
        );
      return failures;
    };
    const clients = times(3, failuresOf);
    const params = { kind: "transactions", accounts: [address], from: { mc_seqno: 1 } } as const;
    const url = () => service.url;
    const streams = [socketSubscriber(url, params), eventSource(url, params), watcher([service.url], params)];
    const has = (count: number) =>
      until(
        () => `${count} in ${streams.map(({ name, ledger }) => `${name}: ${ledger.kept.length}`).join(", ")}`,
        () => streams.every(({ ledger }) => ledger.kept.length >= count),
      );
    let given = (await transactions()).length;
    const kills = [1, 2];
    for (const killed of [...kills, undefined]) {
      for (let gift = 0; gift < 2; gift++, given++) await give();
      await has(given);
      const before = answered;
      await until("calls", () => answered > before + 20);
      if (killed !== undefined) await service.kill(killed);
    }
    isOver = true;
    // Each client had at most one call under way at each end.
    for (const failures of await Promise.all(clients)) expect(failures).toBeLessThanOrEqual(kills.length);
    const lts = await transactions();
    expect(lts).toHaveLength(given);
    for (const { ledger } of streams) {
      expect(ledger.disorder).toEqual([]);
      const sent = ledger.kept.map(({ event }) => (event as { transaction: { lt: string } }).transaction.lt);
      expect(sent).toEqual(lts);
    }
    const { processes } = await service.status();
    expect(processes.map(({ state, restarts }) => [state, restarts])).toEqual(
      [1, 2].map((number) => ["ready", kills.filter((each) => each === number).length]),
    );
    await until("health", async () => (await service.health()) === 200);
    expect(service.process.stderr).toContain(
      "a process of the service has ended; another one takes its place",
    );
  });
});
