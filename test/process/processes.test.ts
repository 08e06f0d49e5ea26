import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { createKey } from "../../server/access/keys/key-commands.js";
import { changeKeyFile } from "../../server/access/keys/key-file.js";
import { processCount } from "../../server/process/workers/process-count.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { Ledger, ok, Receiver } from "../helpers/peers/webhook-receiver.js";
import { halfACall } from "../helpers/services/half-a-call.js";
import { SeveralProcesses } from "../helpers/services/several-processes.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
const masterchainInfo = "/api/v2/getMasterchainInfo";
const address = `0:${"AB".repeat(32)}`;

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

/** Its tests are about one service, and the last one stops it. */
describeServers("A service of several processes", (_, server) => {
  const keysFile = join(folderInRun("tonwire-keys-"), "keys.json");
  let service: SeveralProcesses;
  beforeAll(async () => {
    service = await SeveralProcesses.start(2, {
      flags: ["--keys-file", keysFile],
      databaseUrl: await server().databaseWithSchema(),
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

  /** The number of the account's transactions. */
  const transactions = async () => {
    const { json } = await service.get(`/api/v3/transactions?account=${address}&limit=1000`);
    return (json as { transactions: object[] }).transactions.length;
  };
  /** What processes that are left to chance say, which is the same. */
  const everywhere = async <Answer>(ask: () => Promise<Answer>) => {
    const [first, ...others] = new Set(await Promise.all(times(6, ask)));
    expect(others).toEqual([]);
    return first!;
  };
  const balance = () => service.rpc<string>("getAddressBalance", { address });
  /** Waits until both processes have logged the text. */
  async function saidByBoth(text: string): Promise<void> {
    const { process } = service;
    const numbers = () =>
      process.stderr.split("\n").flatMap((line) => {
        const said = line.includes(text) && /"process":(\d)/.exec(line)?.[1];
        return said ? [said] : [];
      });
    await until(
      () => `${text} in:\n${process.stderr}`,
      () => new Set(numbers()).size === 2,
    );
  }

  test("has the files of contracts that callers add in every process", slow, async () => {
    const content = JSON.stringify({ hash: "ab".repeat(32), hex: "b5ee9c72" });
    const listed = async () => {
      const { artifacts } = await service.rpc<{ artifacts: { file: string }[] }>("v3.debug.artifacts.list");
      return artifacts.map(({ file }) => file).join();
    };
    await service.rpc("v3.debug.artifacts.add", { files: [{ file: "a.compiled.json", content }] });
    expect(await everywhere(listed)).toBe("a.compiled.json");
    await service.rpc("v3.debug.artifacts.remove", { file: "a.compiled.json" });
    expect(await everywhere(listed)).toBe("");
  });

  test("limits a key over all processes, and adds their metrics up", slow, async () => {
    const burst = 40;
    await changeKeyFile(keysFile, (file) => ({
      file: { ...file, plans: { slow: { rps: 1, burst } } },
      result: undefined,
    }));
    const { text } = await changeKeyFile(keysFile, (file) =>
      createKey(file, { network: "devnet", plan: "slow", label: "test" }, new Date()),
    );
    // One process after the other reads the keys, twice a second.
    service.process.send("SIGHUP");
    await saidByBoth("the keys were read again: 2 are valid");

    let [calls, granted] = [0, 0];
    const since = performance.now();
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(times(20, () => service.get(masterchainInfo, text)));
      calls += answers.length;
      granted += answers.filter(({ status }) => status === 200).length;
      expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    }
    // The limit grows by a call each second.
    expect(granted).toBeLessThanOrEqual(burst + Math.ceil((performance.now() - since) / 1000));
    // A process holds and does not use a quarter of its half, or all of it if a slow machine gives it no call.
    expect(granted).toBeGreaterThanOrEqual(burst / 2);
    const { headers } = await until("a refusal", async () => {
      const answer = await service.get(masterchainInfo, text);
      calls++;
      if (answer.status === 429) return answer;
      granted++;
      return undefined;
    });
    expect(headers["ratelimit-policy"]).toBe('"slow";q=40;w=40');

    const metrics = await service.metrics();
    expect(metrics).toContain(`tonwire_calls_total{method="getMasterchainInfo",outcome="ok"} ${granted}\n`);
    const refused = `tonwire_limiter_refusals_total{plan="slow"} ${calls - granted}\n`;
    expect(metrics).toContain(refused);
    expect(metrics).toContain(`tonwire_call_duration_seconds_count{method="getMasterchainInfo"} `);
    expect(metrics).toContain("tonwire_processes 2\n");
    expect(metrics).toContain("tonwire_global_version_executor 13\n");
  });

  test("has one devnet and one index: what one process answered, every process knows", slow, async () => {
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
    const gifts = 2;
    for (let gift = 1; gift <= gifts; gift++) {
      await service.rpc("devnet.faucet", { address, amount: "1000" });
      // An account pays for its storage.
      expect(Number(await everywhere(balance))).toBeGreaterThan(1000 * gift - 100);
      expect(await everywhere(transactions)).toBe(gift);
    }
    await until("the deliveries", () => ledger.taken.length >= gifts);
    expect(ledger.taken.map(({ webhook }) => webhook)).toEqual(Array(gifts).fill(id));
    expect(new Set(ledger.taken.map((each) => each.id)).size).toBe(gifts);

    const given = await everywhere(balance);
    const { id: snapshot } = await service.rpc<{ id: string }>("devnet.snapshot");
    await service.rpc("devnet.setBalance", { address, balance: "7" });
    expect(await everywhere(balance)).toBe("7");
    await service.rpc("devnet.revert", { id: snapshot });
    expect(await everywhere(balance)).toBe(given);

    const calls = await service.rpc<{ method: string }[]>("devnet.calls", { limit: 1000 });
    const counts = (method: string) => calls.filter((call) => call.method === method).length;
    expect([counts("devnet.faucet"), counts("getAddressBalance")]).toEqual([gifts, 6 * (gifts + 3)]);
  });

  test("has another process in the place of one that is killed", slow, async () => {
    const [given, count] = [await everywhere(balance), await everywhere(transactions)];
    await service.kill(2);
    expect(service.process.stderr).toContain(
      "a process of the service has ended; another one takes its place",
    );
    const isSame = async () => (await everywhere(transactions).catch(() => -1)) === count;
    await until("the index in every process", isSame);
    expect(await everywhere(balance)).toBe(given);
  });

  test("stops at SIGTERM when the calls in flight have ended", slow, async () => {
    const finish = await Promise.all(times(4, () => halfACall(service.url, service.key)));
    service.process.send("SIGTERM");
    await until("the stop", () => service.process.stderr.includes("the process stops after SIGTERM"));
    for (const answer of await Promise.all(finish.map((each) => each())))
      expect(answer).toContain("HTTP/1.1 200 OK");
    expect(await service.process.ended).toBe(0);
    expect(service.process.stderr).toContain("all processes of the service have stopped");
    expect(service.process.stderr).not.toContain("cut off after");
  });
});

describe("the number of processes", () => {
  const count = (processes: number | "auto", databaseUrl?: string, index = true) =>
    processCount({ processes, index, databaseUrl }, 4);

  it("is one per core, without the core of a database on this machine", () => {
    expect(count("auto", "postgres://db.example/ton")).toBe(4);
    for (const local of ["postgres://localhost/ton", "postgres://[::1]:5/ton", "postgres:///ton?host=/run"])
      expect(count("auto", local)).toBe(3);
    expect(count("auto", undefined, false)).toBe(4);
    expect(processCount({ processes: "auto", index: true, databaseUrl: "postgres://127.0.0.1/ton" }, 1)).toBe(
      1,
    );
  });

  it("is one where the database is embedded, which opens for one process", () => {
    expect(count("auto")).toBe(1);
    expect(count(1)).toBe(1);
    expect(() => count(2)).toThrow(
      /^--processes 2 needs a PostgreSQL database.* set --database-url or DATABASE_URL, or --index false/,
    );
  });
});
