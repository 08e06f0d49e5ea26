import { describe, expect, it } from "vitest";
import { createKey } from "../../server/access/key-commands.js";
import { changeKeyFile } from "../../server/access/key-file.js";
import { processCount } from "../../server/process/workers/process-count.js";
import { tonwire } from "../helpers/services/command.js";
import { halfACall } from "../helpers/services/half-a-call.js";
import { SeveralProcesses } from "../helpers/services/several-processes.js";
import { until } from "../helpers/until.js";

/** Each test starts processes. */
const slow = { timeout: 600_000 };
const masterchainInfo = "/api/v2/getMasterchainInfo";

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

/** Waits until both processes have logged the text. */
async function saidByBoth({ process }: SeveralProcesses, text: string): Promise<void> {
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

describe("a service of several processes", slow, () => {
  it("answers on while a process is killed: no call fails but those that it had", async () => {
    const service = await SeveralProcesses.start(2);
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
    const clients = times(6, failuresOf);
    for (const number of [1, 2]) {
      const before = answered;
      await until("calls", () => answered > before + 50);
      await service.kill(number);
    }
    const before = answered;
    await until("calls", () => answered > before + 50);
    isOver = true;
    // Each client had at most one call under way at each of two ends.
    for (const failures of await Promise.all(clients)) expect(failures).toBeLessThanOrEqual(2);
    const { processes } = await service.status();
    expect(processes.map(({ state, restarts }) => [state, restarts])).toEqual([
      ["ready", 1],
      ["ready", 1],
    ]);
    expect(await service.health()).toBe(200);
    expect(service.process.stderr).toContain(
      "a process of the service has ended; another one takes its place",
    );
  });

  it("limits a key over all processes, and adds their metrics up", async () => {
    const service = await SeveralProcesses.start(2);
    const keysFile = `${service.data}/keys.json`;
    const burst = 600;
    await changeKeyFile(keysFile, (file) => ({
      file: { ...file, plans: { slow: { rps: 1, burst } } },
      result: undefined,
    }));
    const { text } = await changeKeyFile(keysFile, (file) =>
      createKey(file, { network: "devnet", plan: "slow", label: "test" }, new Date()),
    );
    // One process after the other reads the keys, twice a second.
    service.process.send("SIGHUP");
    await saidByBoth(service, "the keys were read again: 2 are valid");

    let [calls, granted] = [0, 0];
    const since = performance.now();
    for (let round = 0; round < 30; round++) {
      const answers = await Promise.all(times(25, () => service.get(masterchainInfo, text)));
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
    expect(headers["ratelimit-policy"]).toBe('"slow";q=600;w=600');

    const metrics = await service.metrics();
    expect(metrics).toContain(`tonwire_calls_total{method="getMasterchainInfo",outcome="ok"} ${granted}\n`);
    const refused = `tonwire_limiter_refusals_total{plan="slow"} ${calls - granted}\n`;
    expect(metrics).toContain(refused);
    expect(metrics).toContain(`tonwire_call_duration_seconds_count{method="getMasterchainInfo"} `);
    expect(metrics).toContain("tonwire_processes 2\n");
    expect(metrics).toContain("tonwire_global_version_executor 13\n");
  });

  it("has one devnet: what one process answered, every process knows", async () => {
    const service = await SeveralProcesses.start(3);
    const address = `0:${"ab".repeat(32)}`;
    const balance = async () => (await service.rpc<string>("getAddressBalance", { address })) as string;
    /** The balance that every process knows. */
    const known = async () => {
      const [first, ...others] = new Set(await Promise.all(times(9, balance)));
      expect(others).toEqual([]);
      return Number(first);
    };
    for (let gift = 1; gift <= 8; gift++) {
      await service.rpc("devnet.faucet", { address, amount: "1000" });
      // An account pays for its storage.
      expect(await known()).toBeGreaterThan(1000 * gift - 100);
    }
    const given = await known();
    const { id } = await service.rpc<{ id: string }>("devnet.snapshot");
    await service.rpc("devnet.setBalance", { address, balance: "7" });
    expect(await known()).toBe(7);
    await service.rpc("devnet.revert", { id });
    expect(await known()).toBe(given);

    const calls = await service.rpc<{ method: string }[]>("devnet.calls", { limit: 1000 });
    const counts = (method: string) => calls.filter((call) => call.method === method).length;
    expect([counts("devnet.faucet"), counts("getAddressBalance")]).toEqual([8, 99]);

    // The devnet outlives each process that answers.
    for (const number of [1, 2, 3]) await service.kill(number);
    expect(await known()).toBe(given);
    await service.rpc("devnet.faucet", { address, amount: "1000" });
    expect(await known()).toBeGreaterThan(given + 900);
  });

  it("lets calls in flight of every process end at SIGTERM", async () => {
    const service = await SeveralProcesses.start(2);
    const finish = await Promise.all(times(8, () => halfACall(service.url, service.key)));
    service.process.send("SIGTERM");
    await saidByBoth(service, "the process stops after SIGTERM");
    for (const answer of await Promise.all(finish.map((each) => each())))
      expect(answer).toContain("HTTP/1.1 200 OK");
    expect(await service.process.ended).toBe(0);
    expect(service.process.stderr).toContain("all processes of the service have stopped");
    expect(service.process.stderr).not.toContain("cut off after");
  });

  it("ends with the process that started it", async () => {
    const service = await SeveralProcesses.start(2);
    const pids = (await service.status()).processes.map(({ pid }) => pid);
    service.process.send("SIGKILL");
    await service.process.ended;
    const isThere = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until("the end of its processes", () => !pids.some(isThere));
  });

  it("says which setting is wrong, as a service of one process does", async () => {
    const other = await SeveralProcesses.start(2);
    const { port } = new URL(other.url);
    const flags = ["--processes", "2", "--index", "false", "--admin-port", "0"];
    const taken = await tonwire(["start", ...flags, "--port", port]);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(`--port`)]);
    const embedded = await tonwire(["start", "--processes", "2"]);
    expect([embedded.code, embedded.stderr]).toEqual([
      2,
      expect.stringContaining("set --database-url or DATABASE_URL, or --index false"),
    ]);
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
    expect(() => count(2)).toThrow("--processes 2 needs a PostgreSQL database");
  });
});
