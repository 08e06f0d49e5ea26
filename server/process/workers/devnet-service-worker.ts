// Entry of the thread in which `startDevnet` of `tonwire/devnet` runs a service.
// Module state: the entry of a thread.

import { setTimeout as wait } from "node:timers/promises";
import { type ConfigValues, configOf } from "../../config/load.js";
import { ConfigError } from "../../config/settings.js";
import { isSetupError } from "../../errors.js";
import { OwnThread } from "../../os/channel/thread.js";
import { explain } from "../devnet-tests/explanation.js";
import { readTrace } from "../devnet-tests/read-trace.js";
import { type Call, caller } from "../devnet-tests/service-call.js";
import { DevnetSendError } from "../devnet-tests/trace.js";
import { WalletSends } from "../devnet-tests/wallet-sends.js";
import { loadService } from "../load-service.js";
import type { DevnetServiceSide, DevnetSettlement, DevnetStart } from "./devnet-library.js";

type Settings = Parameters<DevnetServiceSide["start"]>[0];
type Info = Pick<DevnetStart, "faucet" | "wallets"> & { seed: string };

const indexPollMs = 20;
let service: Awaited<ReturnType<typeof loadService>>;
let call: Call;
let sends: WalletSends;

/** Settings of the service by the names of the options. */
function valuesOf(options: Settings): ConfigValues {
  const { seed, rewards, elections, validators, key, ...others } = options;
  const {
    story,
    mining,
    miningIntervalMs,
    clock,
    index,
    data,
    print,
    artifacts,
    port,
    tvmWasm,
    logLevel,
    fork,
    ...unknown
  } = others;
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
    print: { name: "print", value: print },
    artifacts: { name: "artifacts", value: artifacts },
    cache: { name: "TONWIRE_CACHE", value: process.env["TONWIRE_CACHE"] },
    port: { name: "port", value: port ?? 0 },
    tvmWasm: { name: "tvmWasm", value: tvmWasm },
    adminPort: { name: "adminPort", value: 0 },
    logLevel: { name: "logLevel", value: logLevel ?? "error" },
  };
}

function forkValuesOf(fork: Settings["fork"]): ConfigValues {
  const { network, url, key, block, time, jettons, ...unknown } = fork ?? {};
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
    forkJettons: { name: "fork.jettons", value: jettons?.join(",") },
  };
}

async function start(settings: Settings): Promise<DevnetStart> {
  const config = configOf(valuesOf(settings));
  service = await loadService(config);
  try {
    const { url, devnetKey: key } = await service.listen();
    if (key === undefined) throw new TypeError("the devnet has no key");
    call = caller(url, key);
    const { faucet, wallets, seed } = await call<Info>("devnet.info", {});
    sends = new WalletSends(call, seed);
    while (config.index && !(await fetch(`${url}/healthcheck?only=all`)).ok) await wait(indexPollMs);
    const shown = ({ address, name, type, mnemonic }: Info["faucet"]) => ({ address, name, type, mnemonic });
    return { url, key, faucet: shown(faucet), wallets: wallets.map(shown) };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** An option that cannot be used has a sentence, which is all that callers are shown. */
function refuse(error: unknown): never {
  throw error instanceof ConfigError || isSetupError(error) ? new Error(error.message) : error;
}

const handlers: DevnetServiceSide = {
  start: (settings) => start(settings).catch(refuse),
  // Where the result of the method of the same name has more members, only the number is answered.
  mine: async (params) => (await call<{ block: { seqno: number } }>("devnet.mine", params)).block.seqno,
  advanceTime: async (params) => (await call<{ now: number }>("devnet.advanceTime", params)).now,
  async settle(params) {
    const { settled, waiting } = await call<DevnetSettlement>("devnet.settle", params);
    return { settled, waiting };
  },
  explain: ({ hash }) => explain(hash, call),
  trace: ({ hash, timeoutMs }) => readTrace(hash, timeoutMs, call),
  send: async ({ order, timeoutMs }) => readTrace(await sends.send(order), timeoutMs, call),
  sendBoc: async ({ boc, timeoutMs }) => readTrace(await sends.sendBoc(boc), timeoutMs, call),
  call: ({ method, params }) => call(method, params),
  async close() {
    await service.close();
    owner.close();
  },
};

const owner = new OwnThread({ handlers, errors: { DevnetSendError } });
