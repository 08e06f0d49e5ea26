// Entry of the thread in which `startDevnet` of `tonwire/devnet` runs a service.

import { setTimeout as wait } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { type ConfigValues, configOf } from "../config/load.js";
import { ConfigError } from "../config/settings.js";
import { isSetupError } from "../errors.js";
import { ownPort } from "../os/own-port.js";
import type {
  DevnetOptions,
  DevnetRequest,
  DevnetSettlement,
  DevnetStart,
  FromDevnetService,
  ToDevnetService,
} from "./devnet-library.js";
import { loadService } from "./load-service.js";

type Settings = Omit<DevnetOptions, "moveDate">;
type Info = Pick<DevnetStart, "faucet" | "wallets">;

const port = ownPort();
const indexPollMs = 20;

function post(message: FromDevnetService): void {
  port.postMessage(message);
}

/** Settings of the service by the names of the options. */
function valuesOf(options: Settings): ConfigValues {
  const { seed, rewards, elections, validators, key, ...others } = options;
  const { story, mining, miningIntervalMs, clock, index, data, port, tvmWasm, logLevel, fork, ...unknown } =
    others;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new ConfigError([`startDevnet has no option ${name}`]);
  return {
    devnetSeed: { name: "seed", value: seed },
    devnetRewards: { name: "rewards", value: rewards },
    devnetElections: { name: "elections", value: elections },
    devnetValidators: { name: "validators", value: validators },
    devnetKey: { name: "key", value: key },
    story: { name: "story", value: story ?? false },
    mining: { name: "mining", value: mining ?? "message" },
    miningIntervalMs: { name: "miningIntervalMs", value: miningIntervalMs },
    clock: { name: "clock", value: clock },
    ...forkValuesOf(fork),
    index: { name: "index", value: index },
    data: { name: "data", value: data },
    cache: { name: "TONWIRE_CACHE", value: process.env["TONWIRE_CACHE"] },
    port: { name: "port", value: port ?? 0 },
    tvmWasm: { name: "tvmWasm", value: tvmWasm },
    adminPort: { name: "adminPort", value: 0 },
    logLevel: { name: "logLevel", value: logLevel ?? "error" },
  };
}

function forkValuesOf(fork: Settings["fork"]): ConfigValues {
  const { network, url, key, block, time, ...unknown } = fork ?? {};
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new ConfigError([`the option fork has no member ${name}`]);
  if (fork && network === undefined && url === undefined)
    throw new ConfigError(["the option fork needs a network or a url"]);
  return {
    fork: { name: "fork.network", value: network },
    forkUrl: { name: "fork.url", value: url },
    forkKey: { name: "fork.key", value: key },
    forkBlock: { name: "fork.block", value: block },
    forkTime: { name: "fork.time", value: time },
  };
}

async function start() {
  const config = configOf(valuesOf(workerData as Settings));
  const service = await loadService(config);
  try {
    const { url, devnetKey: key } = await service.listen();
    if (key === undefined) throw new TypeError("the devnet has no key");
    const call = caller(url, key);
    const { faucet, wallets } = await call<Info>("devnet.info", {});
    while (config.index && !(await fetch(`${url}/healthcheck`)).ok) await wait(indexPollMs);
    const shown = ({ address, name, type, mnemonic }: Info["faucet"]) => ({ address, name, type, mnemonic });
    post({ type: "ready", start: { url, key, faucet: shown(faucet), wallets: wallets.map(shown) } });
    return { service, call };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * Each request is the devnet method of the same name; where the result has more members, only the number is answered.
 */
async function run({ type, params }: DevnetRequest, call: Caller): Promise<unknown> {
  const result = await call<{ now: number; block: { seqno: number } } & DevnetSettlement>(
    `devnet.${type}`,
    params,
  );
  switch (type) {
    case "advanceTime":
      return result.now;
    case "mine":
      return result.block.seqno;
    case "settle": {
      const { settled, waiting } = result;
      return { settled, waiting };
    }
  }
}

type Caller = ReturnType<typeof caller>;

/** Calls the service as its clients do. */
function caller(url: string, key: string) {
  return async <Result>(method: string, params: object): Promise<Result> => {
    const response = await fetch(`${url}/jsonRPC`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": key },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const answer = (await response.json()) as { result: Result; error?: { message: string } };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
}

try {
  const { service, call } = await start();
  port.on("message", async (message: ToDevnetService) => {
    if (message.type === "close") {
      await service.close();
      port.close();
      return;
    }
    const { id } = message;
    await run(message, call).then(
      (value) => post({ type: "done", id, value }),
      (error: Error) => post({ type: "failed", id, message: error.message }),
    );
  });
} catch (error) {
  // Errors lose their class on the way to another thread.
  if (!(error instanceof ConfigError) && !isSetupError(error)) throw error;
  post({ type: "refused", message: error.message });
  port.close();
}
