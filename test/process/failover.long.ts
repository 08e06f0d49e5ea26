import { expect, onTestFinished, test } from "vitest";
import { startSwitchedServer } from "../helpers/peers/switched-server.js";
import { devnetWithGateway, startApi, startIndex } from "../helpers/services/role-processes.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { havePgBouncer, startPgBouncer } from "../helpers/store/pgbouncer.js";
import { mayStopPostgres } from "../helpers/store/postgres.js";
import { startStandby } from "../helpers/store/standby.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
const address = `0:${"5A".repeat(32)}`;

type Index = Awaited<ReturnType<typeof startIndex>>;

const roleOf = async (index: Index) => (await index.status()).index?.role;
const reaches = (index: Index, seqno: number) =>
  until("the index", async () => (await index.status()).index?.seqno === seqno);

describeOwnPostgres("The processes of an index", (_, server) => {
  const doors = [
    ["the database itself", async (url: string) => url, true],
    ["a pooler in session mode", (url: string) => startPgBouncer(url, "session"), havePgBouncer()],
  ] as const;
  for (const [name, open, isThere] of doors)
    test.runIf(isThere)(`have one writer after another on ${name}, though it is killed`, slow, async () => {
      const { devnet, globalConfig } = await devnetWithGateway();
      const place = { databaseUrl: await open(await server().database()), globalConfig };
      const all = [await startIndex(place), await startIndex(place)];
      const roles = async () => (await Promise.all(all.map(roleOf))).sort().join();
      await until("their roles", async () => (await roles()) === "standby,writer");
      for (let times = 0; times < 3; times++) {
        const writer = (await roleOf(all[0]!)) === "writer" ? all[0]! : all[1]!;
        writer.process.send("SIGKILL");
        await writer.process.ended;
        all.splice(all.indexOf(writer), 1);
        await until("the other to take over", async () => (await roleOf(all[0]!)) === "writer");
        await reaches(all[0]!, await devnet.mine());
        all.push(await startIndex(place));
        await until("their roles", async () => (await roles()) === "standby,writer");
      }
    });

  test.runIf(mayStopPostgres)("continue when a standby replaces the primary", slow, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const databaseUrl = await server().database();
    const standby = await startStandby(databaseUrl);
    onTestFinished(() => standby.stop());
    const primary = await startSwitchedServer(databaseUrl);
    const place = { databaseUrl: primary.url, globalConfig };
    const index = await startIndex(place);
    const api = await startApi(place, "--database-read-urls", standby.url, "--health-max-lag", "1000000");
    await devnet.run("devnet.faucet", { address });
    const before = await devnet.mine();
    await until("the answers", async () => (await api.lastSeqno()) === before);
    const replayed = async () => (await standby.ask("select seqno from index_version"))[0].seqno === before;
    await until("the replay", replayed);

    await server().halt();
    onTestFinished(() => server().run());
    // The standby answers alone.
    expect(await api.lastSeqno()).toBe(before);
    await devnet.run("devnet.faucet", { address });
    const meanwhile = await devnet.mine();
    await standby.promote();
    primary.leadTo(standby.url);
    await until("the answers", async () => (await api.lastSeqno()) === meanwhile);
    const last = await devnet.mine();
    await reaches(index, last);
    await until("the answers", async () => (await api.lastSeqno()) === last);
    await until("health", async () => (await api.ask("/healthcheck?only=all"))[0] === 200);

    // As if nothing had happened.
    await server().run();
    const clean = { databaseUrl: await server().database(), globalConfig };
    await startIndex(clean);
    const other = await startApi(clean, "--health-max-lag", "1000000");
    await until("the other index", async () => (await other.lastSeqno()) === last);
    for (const path of [
      "transactions",
      "messages",
      "traces",
      "actions",
      "blocks",
      `accountStates?address=${address}`,
    ]) {
      const full = `/api/v3/${path}${path.includes("?") ? "" : "?limit=500"}`;
      await until(`equal answers of ${path}`, async () => {
        const [one, two] = [await api.ask(full), await other.ask(full)];
        return JSON.stringify(one) === JSON.stringify(two);
      });
    }
  });
});
