import { afterAll, expect, onTestFinished } from "vitest";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import { MethodRunner } from "../../../server/chain/run/method-runner.js";
import { type Config, configWith } from "../../../server/config/settings.js";
import type { KnownContract } from "../../../server/contracts/methods-at.js";
import type { Devnet, DevnetConfig } from "../../../server/devnet/devnet.js";
import { DevnetThread } from "../../../server/devnet/thread/devnet-thread.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import type { Detection } from "../../../server/indexer/recognition/detection.js";
import type { RecognitionLimits } from "../../../server/indexer/recognition/recognition-budget.js";
import { contractDetection } from "../../../server/process/network/contract-runs.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
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
  const executor = new ExecutorThreads({ threads: 1, deadlineMs: timeoutMs, runTimeoutMs: timeoutMs });
  const runner = new MethodRunner({ reader, executor, libraries: new CodeLibraries(reader) });
  const retrace = new Retrace({ reader, executor });
  const noticed = {
    run: (...[account, ...more]: Parameters<MethodRunner["run"]>) => {
      onRun(account.code);
      return runner.run(account, ...more);
    },
  };
  const parts = { reader, recogniser: noticed, retrace, limits, known };
  const detection = contractDetection(parts, configWith(settings));
  return { detection, close: () => executor.close() };
}

export type DetectedDevnet = Devnet & { detection: Detection };

const mining = { mode: "manual", intervalMs: 1000 } as const;
const emptyDevnet = { seed: publishedSeed, mining, clock: "fixed", rewards: false, story: false } as const;

/** A devnet whose blocks are made when a test asks, without a story, and with what recognises its contracts. */
export async function openDetectedDevnet(
  settings: Settings = {},
  special: Partial<DevnetConfig> = {},
): Promise<DetectedDevnet> {
  return openDetected((onError) => DevnetThread.start({ ...emptyDevnet, ...special }, { onError }), settings);
}

/** As above, with a complete story. */
export function openDetectedStory(settings: Settings = {}): Promise<DetectedDevnet> {
  return openDetected(startStoryDevnet, settings);
}

async function openDetected(start: StartDevnet, settings: Settings): Promise<DetectedDevnet> {
  const { devnet, close } = await startDetected(start, settings);
  onTestFinished(close);
  return devnet;
}

type StartDevnet = (onError: (error: Error) => void) => Promise<Devnet>;

async function startDetected(start: StartDevnet, settings: Settings) {
  const errors: Error[] = [];
  const devnet = await start((error) => errors.push(error));
  const { detection, close } = await startDetection(devnet, settings);
  return {
    devnet: Object.assign(devnet, { detection }),
    async close() {
      await close();
      await devnet.close();
      expect(errors).toEqual([]);
    },
  };
}

/** An empty one. */
export const startPlainDevnet = (): Promise<Devnet> =>
  DevnetThread.start(emptyDevnet, {
    onError(error) {
      throw error;
    },
  });

/** An empty one with what recognises its contracts, until it is closed. */
export const startDetectedDevnet = (settings: Settings) =>
  startDetected((onError) => DevnetThread.start(emptyDevnet, { onError }), settings);

/**
 * One devnet for the tests of a file, started by the first of them that asks, as `openDetectedDevnet` opens one or with a complete
 * story. Each test has it as it began: its blocks are taken back afterwards.
 */
export function detectedDevnetOfFile(kind: "empty" | "story", settings: Settings = {}) {
  const start: StartDevnet =
    kind === "story" ? startStoryDevnet : (onError) => DevnetThread.start(emptyDevnet, { onError });
  let started: ReturnType<typeof startDetected> | undefined;
  afterAll(async () => (await started)?.close());
  return async (): Promise<DetectedDevnet> => {
    started ??= startDetected(start, settings);
    const { devnet } = await started;
    const { id } = await devnet.controls.snapshot();
    onTestFinished(async () => void (await devnet.controls.revert(id)));
    return devnet;
  };
}

export const idOf = ({ workchain, hash }: Address) => ({ workchain, id: hash });

export const someAddress = (byte: number) => new Address(0, new Uint8Array(32).fill(byte));

/** Puts code at an address, by an edit without a transaction. */
export async function place(
  { controls }: Pick<Devnet, "controls">,
  address: Address,
  code: Cell,
  data = Cell.empty,
): Promise<void> {
  const parts = { code: serializeBoc(code), data: serializeBoc(data) };
  await controls.setAccount(idOf(address), { balance: ton, ...parts });
}
