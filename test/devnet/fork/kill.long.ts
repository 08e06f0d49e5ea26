import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DevnetInfoResult } from "../../../client/api.js";
import { freePort } from "../../helpers/free-port.js";
import { TonwireProcess } from "../../helpers/services/command.js";
import { startDevnetService } from "../../helpers/services/devnet-service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

const key = "k";

/** A fork in a process, with a data folder. */
async function startFork(data: string, flags: readonly string[]) {
  const adminPort = await freePort();
  const chain = ["--data", data, "--mining", "message", "--index", "false", "--log-format", "json"];
  const ports = ["--port", "0", "--admin-port", String(adminPort)];
  const process = new TonwireProcess(["start", ...chain, ...ports, ...flags], {
    env: { TONWIRE_DEVNET_KEY: key },
  });
  const url = await process.printed(/serves devnet at (\S+)\n/);
  const call = async (method: string, params: object = {}) => {
    const response = await fetch(`${url}/jsonRPC`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()) as { result?: never; error?: { data: { kind: string }; message: string } };
  };
  const run = async <T>(method: string, params: object = {}): Promise<T> => {
    const { result, error } = await call(method, params);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  };
  return { process, call, run, admin: `http://127.0.0.1:${adminPort}` };
}

const paid = `0:${"1".repeat(64)}`;

test.each(["liteserver", "service"])(
  "a fork over a %s goes on after a kill, without the network",
  async (kind) => {
    const config = join(temporaryFolder(), "network.json");
    const network = await startDevnetService({
      ...{ mining: "message", clock: "wall", liteserverPort: 0, liteserverConfig: config },
    });
    let isOpen = true;
    const closeNetwork = async () => {
      if (isOpen) await network.close();
      isOpen = false;
    };
    onTestFinished(closeNetwork);
    const { wallets } = await network.run<DevnetInfoResult>("devnet.info");
    const [touched, read, never] = wallets.map(({ address }) => address);
    const flags = [
      "--devnet-seed",
      "fork",
      ...(kind === "service" ? ["--fork-url", network.url] : ["--fork", config]),
    ];
    const data = temporaryFolder();
    const first = await startFork(data, flags);
    const sign = await first.process.printed(/(fork of .*)\n/);
    expect(sign).toMatch(
      kind === "service"
        ? /without proofs: the service is believed$/
        : /network\.json at block \d+, with proofs$/,
    );
    expect(first.process.stdout).toMatch(
      /a message signed here is valid on \S+ too, and on any network with the id -20250: devnet\.impersonate/,
    );
    await first.run("devnet.impersonate", { from: paid, to: touched!, value: "5000000000", bounce: false });
    const balances = async ({ run }: Pick<typeof first, "run">) =>
      Promise.all([touched, read].map((address) => run<string>("getAddressBalance", { address })));
    const before = await balances(first);
    expect(BigInt(before[0]!)).toBeGreaterThan(BigInt(before[1]!));
    expect(before[1]).toBe(await network.run("getAddressBalance", { address: read }));
    const { fork } = await first.run<DevnetInfoResult>("devnet.info");
    first.process.send("SIGKILL");
    await first.process.ended;
    await closeNetwork();

    const again = await startFork(data, flags);
    expect(await balances(again)).toEqual(before);
    const restarted = await again.run<DevnetInfoResult>("devnet.info");
    expect(restarted.fork).toMatchObject({ block: fork!.block, proven: kind === "liteserver", requests: 0 });
    const { error } = await again.call("getAddressBalance", { address: never });
    expect(error?.data.kind).toBe("liteserver-error");
    expect(error?.message).toMatch(/^LITE_SERVER_NOTREADY: the forked network does not answer: /);
    await until("the problem in the status", async () => {
      const status = await (await fetch(`${again.admin}/status`)).json();
      expect(status.fork.v3_history_since).toEqual({
        seqno: fork!.block.seqno,
        utime: fork!.utime,
      });
      return status.fork.problem !== undefined && status.fork.failures > 0;
    });
    // It is not repeated: the answer comes at once.
    expect((await again.run<DevnetInfoResult>("devnet.info")).fork).toMatchObject({
      requests: 1,
      failures: 1,
    });
    expect((await fetch(`${again.admin}/healthcheck?only=v2`)).status).toBe(503);
    expect(await (await fetch(`${again.admin}/metrics`)).text()).toMatch(
      /^tonwire_fork_failures_total [1-9]/m,
    );
    expect(await again.run("devnet.mine")).toBeDefined();
  },
);
