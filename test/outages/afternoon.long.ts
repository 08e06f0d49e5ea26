import { expect, onTestFinished, test } from "vitest";
import { balancer } from "../helpers/deploy/deployed-files.js";
import { haveNginx, startNginx } from "../helpers/deploy/nginx.js";
import { freePort } from "../helpers/free-port.js";
import { callsOf, SteadyCallers, type Tally } from "../helpers/http/steady-callers.js";
import { startSwitchedServer } from "../helpers/peers/switched-server.js";
import { devnetWithGateway, key, startApi, startIndex } from "../helpers/services/role-processes.js";
import { askOnce } from "../helpers/store/ask-once.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { mayStopPostgres } from "../helpers/store/postgres.js";
import { startStandby } from "../helpers/store/standby.js";
import { until } from "../helpers/until.js";

// An operator's bad afternoon, by the documents of scale: two processes that can write the index, two that answer behind nginx, a
// primary and a standby. Callers go on over every event; the table at the end has what happened to their calls.

const slow = { timeout: 900_000 };
/** Calls around each event. */
const around = 200;
/** Calls while something is away: they take longer than any timeout of a connection. */
const during = 1500;
const killed = "a process that answers is killed";

type Started = Awaited<ReturnType<typeof startApi> | ReturnType<typeof startIndex>>;

describeOwnPostgres("a bad afternoon", (_, server) => {
  test.runIf(haveNginx && mayStopPostgres)("fails no call", slow, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    await devnet.mine(3);
    const databaseUrl = await server().database();
    const standby = await startStandby(databaseUrl);
    onTestFinished(() => standby.stop());
    const primary = await startSwitchedServer(databaseUrl);
    const place = { databaseUrl: primary.url, globalConfig };
    const ports = [await freePort(), await freePort()];
    const api = (i: number) =>
      startApi(
        place,
        ...["--port", `${ports[i]}`, "--trust-proxy", "1", "--health-max-lag", "1000000"],
        ...["--database-read-urls", standby.url],
      );
    const writers = [await startIndex(place), await startIndex(place)];
    const apis = await Promise.all([api(0), api(1)]);
    const healthy = (process: Started) => until("health", async () => (await process.health())[0] === 200);
    for (const each of [...writers, ...apis]) await healthy(each);
    const nginx = await startNginx((port) =>
      balancer()
        .replace("listen 8080;", `listen 127.0.0.1:${port};`)
        .replace(/api-(\d):8081/g, (_, number) => `127.0.0.1:${ports[Number(number) - 1]}`),
    );
    onTestFinished(() => nginx.stop());

    const writing = async () => {
      const roles = await Promise.all(writers.map(async (each) => (await each.status()).index?.role));
      return roles.indexOf("writer");
    };
    /** A new block is in the index, and in what callers are answered from. */
    const goesOn = async () => {
      const seqno = await devnet.mine();
      await until("the new block", async () =>
        (await Promise.all(apis.map((each) => each.lastSeqno()))).every((each) => each === seqno),
      );
    };
    const kill = async ({ process }: Started) => {
      process.send("SIGKILL");
      await process.ended;
    };
    const answered = async (process: Started) => {
      const counts = (await process.metrics()).matchAll(/^tonwire_calls_total\{.*\} (\d+)$/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    /** nginx leaves out a process that it could not reach, for five seconds. */
    const isCalledAgain = async (process: Started) => {
      await healthy(process);
      const before = await answered(process);
      await until("calls of the process", async () => (await answered(process)) > before + around);
    };
    const rows: (Tally & { event: string })[] = [];
    const callers = new SteadyCallers(nginx.url, callsOf(key));
    async function event(name: string, happens: () => Promise<unknown>): Promise<void> {
      await callers.further(around);
      await happens();
      await goesOn();
      await callers.further(around);
      rows.push({ event: name, ...callers.tally() });
    }

    await event("nothing", async () => {});
    await event("the writer is killed", async () => {
      const writer = await writing();
      await kill(writers[writer]!);
      writers.splice(writer, 1);
      await until("the other one to write", async () => (await writing()) === 0);
      writers.push(await startIndex(place));
    });
    await event(killed, async () => {
      await kill(apis[0]!);
      await callers.further(around);
      apis[0] = await api(0);
      await isCalledAgain(apis[0]);
    });
    await event("the standby is gone, and comes again", async () => {
      await standby.stop();
      await callers.further(during);
      await standby.start();
    });
    await event("all sessions of the primary end", async () => {
      const ended =
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where backend_type = 'client backend'";
      await askOnce(databaseUrl, `${ended} and pid <> pg_backend_pid()`);
    });
    await event("the primary is gone, and comes again", async () => {
      await server().crash();
      await callers.further(during);
      await server().run();
    });
    await event("settings are read again", async () => {
      for (const { process } of [...writers, ...apis]) process.send("SIGHUP");
    });
    await event("every process is replaced", async () => {
      for (const i of [0, 1]) {
        apis[i]!.process.send("SIGTERM");
        expect(await apis[i]!.process.ended).toBe(0);
        apis[i] = await api(i);
        await isCalledAgain(apis[i]);
      }
      for (const i of [0, 1]) {
        writers[i]!.process.send("SIGTERM");
        expect(await writers[i]!.process.ended).toBe(0);
        writers[i] = await startIndex(place);
        await healthy(writers[i]!);
      }
    });
    await event("the standby takes the primary's place", async () => {
      await server().halt();
      await callers.further(during);
      await standby.promote();
      primary.leadTo(standby.url);
    });
    await callers.stop();
    await server().run();
    const line = ({ event, calls, failed, slowestMs }: (typeof rows)[number]) =>
      `${String(calls).padStart(7)} calls ${String(failed).padStart(4)} failed ${String(slowestMs).padStart(6)} ms the slowest  ${event}`;
    console.log(["An operator's afternoon:", ...rows.map(line)].join("\n"));
    // A call by POST may be a send: nginx does not ask another process for what one that was killed had received.
    const cutOff = rows.find(({ event }) => event === killed)!.failed;
    expect(cutOff).toBeLessThanOrEqual(callers.count);
    expect(callers.failures.slice(0, cutOff).filter((each) => !/jsonRPC: 502/i.test(each))).toEqual([]);
    expect(callers.failures.slice(cutOff)).toEqual([]);
  });
});
