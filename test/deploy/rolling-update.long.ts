import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { balancer } from "../helpers/deploy/deployed-files.js";
import { haveNginx, startNginx } from "../helpers/deploy/nginx.js";
import { freePort } from "../helpers/free-port.js";
import { callsOf, SteadyCallers } from "../helpers/http/steady-callers.js";
import { examplesIn } from "../helpers/readmes.js";
import { devnetWithGateway, key, startApi, startIndex } from "../helpers/services/role-processes.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 900_000 };

type Process = Awaited<ReturnType<typeof startApi> | ReturnType<typeof startIndex>>;

/** The processes of a README's commands, by the names that these have for them. */
class Machine {
  readonly #starts: Readonly<Record<string, () => Promise<Process>>>;
  readonly #running = new Map<string, Promise<Process>>();
  /** The restarted units, in order. */
  readonly restarts: string[] = [];

  constructor(starts: Readonly<Record<string, () => Promise<Process>>>) {
    this.#starts = starts;
    for (const name of Object.keys(starts)) this.#start(name);
  }

  /** Stops a process, and starts another one in its place; does not wait until this one answers. */
  async restart(name: string): Promise<void> {
    const { process } = await this.#running.get(name)!;
    process.send("SIGTERM");
    expect(await process.ended).toBe(0);
    this.restarts.push(name);
    this.#start(name);
  }

  async untilHealthy(name: string): Promise<void> {
    const { health } = await this.#running.get(name)!;
    await until(`health of ${name}`, async () => (await health())[0] === 200);
  }

  async untilAllHealthy(): Promise<void> {
    for (const name of this.#running.keys()) await this.untilHealthy(name);
  }

  #start(name: string): void {
    const started = this.#starts[name]!();
    started.catch(() => {});
    this.#running.set(name, started);
  }
}

/** Runs commands of a shell in which programs are replaced: each hands its arguments to a function, and waits for it. */
async function runWith(
  programs: Readonly<Record<string, (args: string) => Promise<void>>>,
  commands: string,
): Promise<{ code: number; output: string }> {
  const failures: unknown[] = [];
  const control = createServer(async (request, response) => {
    const args = Buffer.concat(await request.toArray()).toString();
    try {
      await programs[request.url!.slice(1)]!(args);
    } catch (error) {
      failures.push(error);
      response.statusCode = 500;
    }
    response.end();
  }).listen(0, "127.0.0.1");
  await once(control, "listening");
  onTestFinished(() => void control.close());
  const { port } = control.address() as AddressInfo;
  const folder = temporaryFolder();
  const install = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  install("sudo", 'exec "$@"');
  for (const name of Object.keys(programs))
    install(name, `exec curl --silent --fail --data "$*" http://127.0.0.1:${port}/${name}`);
  const shell = spawn("bash", ["-c", commands], {
    env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const [code] = (await once(shell, "close")) as [number];
  expect(failures).toEqual([]);
  return { code, output };
}

const commandsOf = (kind: string) =>
  examplesIn("server/README.md", "sh").find((code) => code.startsWith(`# ${kind}, after`))!;

describePostgres("an update by the README's commands", (_fresh, server) => {
  /** Starts processes by these names behind nginx, and lets them be called while commands run; the index comes first. */
  async function updated(
    names: readonly [index: string, first: string, second: string],
    run: (
      machine: Machine,
      ports: { first: number; second: number; admin: number },
    ) => ReturnType<typeof runWith>,
  ) {
    const { devnet, globalConfig } = await devnetWithGateway();
    await devnet.mine(3);
    const place = { databaseUrl: await server().database(), globalConfig };
    const [first, second, admin] = [await freePort(), await freePort(), await freePort()];
    const apiAt = (port: number) => () =>
      startApi(place, "--port", String(port), "--trust-proxy", "1", "--health-max-lag", "1000000");
    const machine = new Machine({
      [names[0]]: () => startIndex({ ...place, adminPort: admin }),
      [names[1]]: apiAt(first),
      [names[2]]: apiAt(second),
    });
    await machine.untilAllHealthy();
    const addresses = [`127.0.0.1:${first}`, `127.0.0.1:${second}`];
    const nginx = await startNginx((port) =>
      balancer()
        .replace("listen 8080;", `listen 127.0.0.1:${port};`)
        .replace(/api-(\d):8081/g, (_, number) => addresses[Number(number) - 1]!),
    );
    onTestFinished(() => nginx.stop());
    const callers = new SteadyCallers(nginx.url, callsOf(key));
    const { code, output } = await run(machine, { first, second, admin });
    await callers.stop();
    const { calls, failures } = callers;
    expect([code, output, machine.restarts, failures], nginx.logged()).toEqual([0, "", names, []]);
    expect(calls).toBeGreaterThan(100);
    console.log(`${calls} calls, of which none failed`);
  }

  test.runIf(haveNginx)("fails no call under systemd", slow, () =>
    updated(
      ["tonwire-index", "tonwire-api@8081", "tonwire-api@8083"],
      (machine, { first, second, admin }) => {
        const systemctl = (args: string) => machine.restart(/^restart (tonwire-\S+)$/.exec(args)![1]!);
        const commands = commandsOf("systemd")
          .replace(/ 8081 /, ` ${first} `)
          .replace(/ 8083$/m, ` ${second}`)
          .replace(/ 8082 /, ` ${admin} `);
        return runWith({ systemctl }, commands);
      },
    ),
  );

  test.runIf(haveNginx)("fails no call with compose", slow, () =>
    updated(["index", "api-1", "api-2"], (machine) => {
      const docker = async (args: string) => {
        const [, name] = /^compose up --detach --no-deps --wait --wait-timeout 180 (\S+)$/.exec(args) ?? [];
        if (name === undefined) return expect(args).toBe("compose build");
        await machine.restart(name);
        await machine.untilHealthy(name);
      };
      return runWith({ docker }, commandsOf("compose"));
    }),
  );
});
