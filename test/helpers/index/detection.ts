import { expect, onTestFinished } from "vitest";
import { ExecutorPool } from "../../../server/chain/executor/pool.js";
import { MethodRunner } from "../../../server/chain/run/method-runner.js";
import { TransactionReplay } from "../../../server/chain/run/transaction-replay.js";
import { type Config, configWith } from "../../../server/config/settings.js";
import type { KnownContract } from "../../../server/contracts/methods-at.js";
import type { Devnet, DevnetConfig } from "../../../server/devnet/devnet.js";
import { startDevnet } from "../../../server/devnet/thread/devnet-thread.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import type { Detection } from "../../../server/indexer/detect/detection.js";
import type { RecognitionLimits } from "../../../server/indexer/recognition/recognition-budget.js";
import { contractDetection } from "../../../server/process/contract-runs.js";
import { serializeBoc } from "../../../shared/ton/cells/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../chain/devnet.js";
import { startStoryDevnet } from "../stories/story-devnet.js";

/** Long enough for a slow machine. */
const timeoutMs = 120_000;

/** Recognises the contracts of a devnet. */
export async function startDetection(
  { api, events }: Pick<Devnet, "api" | "events">,
  settings: Settings = {},
): Promise<{ detection: Detection; close(): Promise<void> }> {
  const head = new ChainHead(await api.getMasterchainInfo(), Date.now);
  events.onHead((last) => head.move(last));
  const reader = new ChainReader({ lite: api, head });
  events.onReverted(() => reader.forget());
  return recogniseWith(reader, settings);
}

/** Recognises the contracts of a chain without events, until the end of the test. */
export async function detectionOf(lite: LiteApi): Promise<Detection> {
  const { detection, close } = await startDetectionOf(lite);
  onTestFinished(close);
  return detection;
}

/** As `openDetection`, until it is closed. */
export async function startDetectionOf(lite: LiteApi, settings: Settings = {}) {
  const head = new ChainHead(await lite.getMasterchainInfo(), Date.now);
  return recogniseWith(new ChainReader({ lite, head }), settings);
}

/** However slow the machine is, contracts are recognised with their blocks. */
const patient: Partial<RecognitionLimits> = { accountMs: timeoutMs, savedMs: timeoutMs };

type Settings = Partial<Config> & {
  /** Called with the code of each run in the executor. */
  onRun?: (code: Cell | undefined) => void;
  limits?: Partial<RecognitionLimits>;
  /** Contracts that are not read from the chain. */
  known?: (address: Address) => KnownContract | undefined;
};

async function recogniseWith(
  reader: ChainReader,
  { onRun = () => {}, limits = patient, known, ...settings }: Settings = {},
) {
  const pool = new ExecutorPool({ threads: 1, deadlineMs: timeoutMs, runTimeoutMs: timeoutMs });
  const runner = new MethodRunner({ reader, pool, libraries: new CodeLibraries(reader) });
  const replay = new TransactionReplay({ reader, pool });
  const noticed = {
    run: (...[account, ...more]: Parameters<MethodRunner["run"]>) => {
      onRun(account.code);
      return runner.run(account, ...more);
    },
  };
  const parts = { reader, recogniser: noticed, replay, limits, known };
  const detection = contractDetection(parts, configWith(settings));
  return { detection, close: () => pool.close() };
}

/** A devnet whose blocks are made when a test asks, without a story, and with what recognises its contracts. */
export async function openDetectedDevnet(
  settings: Settings = {},
  special: Partial<DevnetConfig> = {},
): Promise<DetectedDevnet> {
  const mining = { mode: "manual", intervalMs: 1000 } as const;
  const config = { seed: publishedSeed, mining, clock: "fixed", rewards: false, story: false } as const;
  return detectIn((onError) => startDevnet({ ...config, ...special }, onError), settings);
}

/** As above, with a complete story. */
export function openDetectedStory(settings: Settings = {}): Promise<DetectedDevnet> {
  return detectIn(startStoryDevnet, settings);
}

export type DetectedDevnet = Devnet & { detection: Detection };

async function detectIn(
  start: (onError: (error: Error) => void) => Promise<Devnet>,
  settings: Settings = {},
): Promise<DetectedDevnet> {
  const errors: Error[] = [];
  const devnet = await start((error) => errors.push(error));
  const contracts = await startDetection(devnet, settings);
  onTestFinished(async () => {
    await contracts.close();
    await devnet.close();
    expect(errors).toEqual([]);
  });
  return Object.assign(devnet, { detection: contracts.detection });
}

export const idOf = ({ workchain, hash }: Address) => ({ workchain, id: hash });

export const someAddress = (byte: number) => new Address(0, new Uint8Array(32).fill(byte));

/** Puts code at an address, by edits without a transaction. */
export async function place(
  { controls }: Pick<Devnet, "controls">,
  address: Address,
  code: Cell,
  data = Cell.empty,
): Promise<void> {
  await controls.setBalance(idOf(address), ton);
  await controls.setCode(idOf(address), serializeBoc(code));
  await controls.setData(idOf(address), serializeBoc(data));
}
