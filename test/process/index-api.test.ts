import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { isLong } from "../helpers/effort.js";
import { devnetWithGateway, here } from "../helpers/services/role-processes.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { messageListeners } from "../helpers/store/message-listeners.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { until } from "../helpers/until.js";

const { startApi, startIndex } = here;
type Api = Awaited<ReturnType<typeof startApi>>;

const slow = { timeout: 600_000 };
const encoded = encodeURIComponent;

const reaches = (api: Api, seqno: number) =>
  until(`the index to reach block ${seqno}`, async () => (await api.lastSeqno()) === seqno);

/** It reads the chain independently of the process that writes the index. */
const knowsChain = (api: Api, seqno: number) =>
  until(
    `block ${seqno} to be the chain's head`,
    async () => (await api.status()).index?.chain_seqno === seqno,
  );

describePostgres("tonwire index and tonwire api over a devnet of another process", (_fresh, server) => {
  test("tell that nothing is indexed yet, and lag without a writer", slow, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    const api = await startApi(place, "--health-max-lag", "0");
    expect(await api.ask("/api/v3/blocks")).toEqual([503, { error: "database is not available" }]);
    await until("health to tell", async () =>
      isDeepStrictEqual(await api.ask("/healthcheck?only=all"), [503, "The database has no index yet"]),
    );
    expect((await api.ask("/api/v2/getMasterchainInfo"))[0]).toBe(200);
    expect(await api.ask("/jsonRPC", { method: "POST", body: mine })).toMatchObject([
      200,
      { error: { data: { reason: "devnet.mine is answered by the process that has the devnet" } } },
    ]);
    const writer = await startIndex(place);
    await reaches(api, await devnet.mine(1));
    await until("health", async () => (await api.ask("/healthcheck?only=all"))[0] === 200);

    writer.process.send("SIGTERM");
    await writer.process.ended;
    await devnet.mine(2);
    await until("the lag", async () => {
      const [status, text] = await api.ask("/healthcheck?only=all");
      return status === 503 && /^index lags \d+ s$/.test(text);
    });
  });

  test("log who writes, and follow a revert of the chain", slow, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    const api = await startApi(place, "--health-max-lag", "0");
    const writer = await startIndex(place);
    const address = `0:${"5A".repeat(32)}`;
    const balance = `/api/v2/getAddressBalance?address=${address}`;
    const states = `/api/v3/accountStates?address=${address}`;
    type Snapshot = { id: string; block: { seqno: number } };
    const { id, block } = await devnet.run<Snapshot>("devnet.snapshot");
    const kept = block.seqno;
    await devnet.run("devnet.faucet", { address });
    const seqno = await devnet.mine(3);
    await reaches(api, seqno);
    const isEmpty = async () => ((await api.ask(balance))[1] as { result: string }).result === "0";
    await until("the gift", async () => !(await isEmpty()));
    expect(await api.ask(states)).toMatchObject([200, { accounts: [{ status: "uninit" }] }]);

    await devnet.run("devnet.revert", { id });
    await reaches(api, kept);
    expect(await api.ask(states)).toMatchObject([200, { accounts: [] }]);
    await until("the revert", isEmpty);
    // Beyond the previous head, so that seqnos alone do not show the revert.
    const further = await devnet.mine(6);
    await reaches(api, further);
    expect(await api.ask(`/api/v3/transactions?account=${address}`)).toMatchObject([
      200,
      { transactions: [] },
    ]);
    for (const text of [
      "the process is ready: it indexes devnet",
      "this process writes the index",
      "the index has caught up with the chain at block",
    ])
      await until(`"${text}" in the log`, () => writer.process.stderr.includes(text));
    await until("health", async () => (await api.ask("/healthcheck?only=all"))[0] === 200);
    await until("its numbers", async () => (await api.status()).index?.seqno === further);
    expect((await api.status()).index).toMatchObject({ role: "reader", lag_sec: 0 });
    const metrics = await api.metrics();
    expect(metrics).toContain(`\ntonwire_index_seqno ${further}\n`);
    expect(metrics).toMatch(/^tonwire_recognition_queued_accounts \d/m);
  });

  test.runIf(isLong)("show pending transactions of a message that any of them received", slow, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    await startIndex(place);
    const api = await startApi(place);
    const other = await startApi(place);
    const silent = await startApi(place, "--pending", "false");
    const wallet = new TestWallet("processes", "v4r2");
    const own = wallet.address.toRawUpper();
    await devnet.run("devnet.faucet", { address: own });
    const seqno = await devnet.mine(2);
    for (const each of [api, other, silent]) {
      await reaches(each, seqno);
      await knowsChain(each, seqno);
    }
    const database = openPatiently(place.databaseUrl);
    onTestFinished(() => database.close());
    // Messages are not delivered to processes that subscribe later.
    await until("both to listen for messages", async () => (await messageListeners(database)).length === 2);
    const receiver = new Address(0, new Uint8Array(32).fill(9));
    const boc = Buffer.from(wallet.pay({ to: receiver, value: ton, bounce: false })).toString("base64");
    const body = {
      method: "POST",
      body: JSON.stringify({ boc }),
    };
    const [status, sent] = await api.ask("/api/v3/message", body);
    expect(status).toBe(200);
    const { message_hash_norm: id } = sent as { message_hash_norm: string };
    const pending = `/api/v3/pendingTraces?ext_msg_hash=${encoded(id)}`;
    expect(await api.ask(pending)).toMatchObject([
      200,
      { traces: [{ trace_id: id, trace_info: { trace_state: "pending", transactions: 2 } }] },
    ]);
    expect(await silent.ask(pending)).toEqual([
      500,
      { error: "emulatedTracesRepository is not initialized" },
    ]);
    const [, known] = await api.ask(pending);
    await until("the other to hear of it", async () => {
      const [, answer] = await other.ask(pending);
      return isDeepStrictEqual(answer, known);
    });
    const end = await devnet.mine(3);
    for (const each of [api, other]) {
      await reaches(each, end);
      await until("nothing to be pending", async () => {
        const [status, answer] = await each.ask(pending);
        return status === 200 && (answer as { traces: unknown[] }).traces.length === 0;
      });
    }
    expect(await api.ask(`/api/v3/traces?msg_hash=${encoded(id)}`)).toMatchObject([
      200,
      { traces: [{ trace_info: { trace_state: "complete", transactions: 2 } }] },
    ]);
  });
});

const mine = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "devnet.mine", params: { blocks: 1 } });
