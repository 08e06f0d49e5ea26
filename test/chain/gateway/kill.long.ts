import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../helpers/free-port.js";
import { TonwireProcess } from "../../helpers/services/command.js";
import { startService } from "../../helpers/services/service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";
import { expectTaken, MessageLoad, placeTakers, type Reached } from "./message-load.js";

const killTimeout = { timeout: 600_000 };
const callTimeoutMs = 60_000;

/** A service in a separate process, which can be killed and restarted with the same settings. */
class Killable implements Reached {
  readonly url: string;
  readonly key: string | null;
  readonly #args: readonly string[];
  #process: TonwireProcess | undefined;
  #up: Promise<unknown> = Promise.resolve();

  private constructor(port: number, args: readonly string[], key: string | null) {
    this.url = `http://127.0.0.1:${port}`;
    this.key = key;
    this.#args = ["--port", String(port), ...args];
  }

  static async start(args: readonly string[], key: string | null = null): Promise<Killable> {
    const common = ["--admin-port", "0", "--anonymous-rps", "unlimited", "--index", "false"];
    common.push("--call-timeout-ms", String(callTimeoutMs));
    const started = new Killable(
      await freePort(),
      [...common, "--log-level", "warn", "--data", temporaryFolder(), ...args],
      key,
    );
    await started.#run();
    return started;
  }

  /** Resolves to itself once it is up. */
  readonly ready = async (): Promise<Reached> => {
    await this.#up;
    return this;
  };

  async restart(): Promise<void> {
    this.#process!.send("SIGKILL");
    expect(await this.#process!.ended).toBe("SIGKILL");
    await this.#run();
  }

  #run(): Promise<unknown> {
    const env = this.key === null ? {} : { TONWIRE_DEVNET_KEY: this.key };
    this.#process = new TonwireProcess(this.#args, { env });
    this.#up = this.#process.printed(/(tonwire serves)/);
    return this.#up;
  }
}

/** Settings of a devnet with a liteserver, as flags and as configuration. */
async function liteserver() {
  const globalConfig = join(temporaryFolder(), "devnet.json");
  return { globalConfig, liteserverPort: await freePort() };
}

async function devnetHere() {
  const { globalConfig, liteserverPort } = await liteserver();
  const devnet = await startService({
    liteserverPort,
    liteserverConfig: globalConfig,
    mining: "interval",
    miningIntervalMs: 100,
    callTimeoutMs,
  });
  onTestFinished(() => devnet.close());
  await placeTakers(devnet);
  return { devnet, globalConfig };
}

/** A service in this process that reads the liteservers of a file. */
async function readerHere(globalConfig: string) {
  const reader = await startService({
    network: "testnet",
    globalConfig,
    anonymousRps: "unlimited",
    adminPort: await freePort(),
    callTimeoutMs,
  });
  onTestFinished(() => reader.close());
  const states = async (): Promise<string[]> => {
    const status = await (await fetch(`${reader.adminUrl}/status`)).json();
    return status.liteservers.servers.map(({ state }: { state: string }) => state);
  };
  return { url: reader.url, key: null, states };
}

/** Errors that a service may give while its liteservers stand still for seconds. */
const late = /^(500 LITE_SERVER_\w+: timeout|504 )/;

function refusalsBut(expected: RegExp, { refused }: MessageLoad): string[] {
  return [...refused.keys()].filter((refusal) => !expected.test(refusal));
}

describe("no accepted message is lost", () => {
  test("when the service that accepted it is killed", killTimeout, async () => {
    const { devnet, globalConfig } = await devnetHere();
    const service = await Killable.start(["--network", "testnet", "--global-config", globalConfig]);
    const load = new MessageLoad(service.ready);
    for (let kills = 0; kills < 2; kills++) {
      await load.more(40);
      await service.restart();
    }
    await load.more(40);
    await load.stop();
    // Calls in flight at the kill got no answer; all other errors are timeouts.
    expect(refusalsBut(late, load)).toEqual([]);
    await expectTaken(devnet, load.answered);
  });

  test("when the devnet is killed", killTimeout, async () => {
    const { globalConfig, liteserverPort } = await liteserver();
    const devnet = await Killable.start(
      [
        ["--liteserver-port", String(liteserverPort)],
        ["--liteserver-config", globalConfig],
        ["--mining-interval-ms", "100"],
        ["--story", "false"],
      ].flat(),
      "key-of-this-test",
    );
    await placeTakers(devnet);
    const reader = await readerHere(globalConfig);
    const load = new MessageLoad(async () => {
      await devnet.ready();
      return reader;
    });
    for (let kills = 0; kills < 2; kills++) {
      await load.more(40);
      await devnet.restart();
    }
    await load.more(40);
    await load.stop();
    // Without a server, calls time out or are rejected as unavailable.
    expect(refusalsBut(/^(500 LITE_SERVER_|503 |504 )/, load)).toEqual([]);
    await expectTaken(devnet, load.answered);
  });

  test("and no call fails when one liteserver after the other is killed", killTimeout, async () => {
    const { devnet, globalConfig } = await devnetHere();
    const relays: Killable[] = [];
    const config = JSON.parse(readFileSync(globalConfig, "utf8").replace(/-9223372036854775808/g, '"$&"'));
    config.liteservers = [];
    for (let i = 0; i < 2; i++) {
      const own = await liteserver();
      const args = ["--network", "testnet", "--global-config", globalConfig];
      args.push("--liteserver-port", String(own.liteserverPort), "--liteserver-config", own.globalConfig);
      relays.push(await Killable.start(args));
      const text = readFileSync(own.globalConfig, "utf8").replace(/-9223372036854775808/g, '"$&"');
      config.liteservers.push(...JSON.parse(text).liteservers);
    }
    const both = join(temporaryFolder(), "both.json");
    writeFileSync(both, JSON.stringify(config));
    const reader = await readerHere(both);
    const bothAlive = async () => (await reader.states()).every((state) => state === "alive");
    const load = new MessageLoad(async () => reader);
    for (const relay of relays) {
      await until("both liteservers", bothAlive);
      await load.more(40);
      await relay.restart();
      await load.more(20);
    }
    await load.stop();
    expect([refusalsBut(late, load), load.broken]).toEqual([[], 0]);
    await expectTaken(devnet, load.answered);
  });
});
