import { availableParallelism } from "node:os";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import type { Address } from "../../../shared/values/address.js";
import { callerShare, patienceOf } from "../../access/limits/caller-share.js";
import { plainLimits } from "../../chain/executor/emulator/plain-emulator.js";
import { readBuild } from "../../chain/executor/patches/wasm-build.js";
import { ExecutorThreads } from "../../chain/executor/threads/executor-threads.js";
import { ShortMethods } from "../../chain/executor/threads/short-methods.js";
import { Retrace } from "../../chain/retrace/retrace.js";
import { AccountsAhead } from "../../chain/run/accounts-ahead.js";
import { FeeEstimator } from "../../chain/run/fee-estimate.js";
import { MethodRunner } from "../../chain/run/method-runner.js";
import { TraceEmulator } from "../../chain/run/trace-emulator.js";
import type { WaitingMessages } from "../../chain/run/waiting-messages.js";
import type { Config } from "../../config/settings.js";
import { DnsZones, knownDnsRoots } from "../../contracts/dns-zones.js";
import { contractsAt, type KnownContract } from "../../contracts/methods-at.js";
import { contractCode } from "../../devnet/contracts/codes.js";
import { SetupError } from "../../errors.js";
import { Detection } from "../../indexer/recognition/detection.js";
import type { RecognitionLimits } from "../../indexer/recognition/recognition-budget.js";
import type { Log } from "../../observe/log.js";
import type { Context } from "../context/context.js";
import type { ChainSource } from "./chain-source.js";
import { type Prints, printingMethods } from "./prints.js";

/**
 * Starts the executor and what uses it: get-methods, fee estimates, emulated traces. `waiting`: the messages of which
 * estimates know that they wait. `prints`: shows what get-methods of callers print.
 */
export async function openContracts(
  { config, closers, log, fallback, siblings }: Context,
  reader: ChainReader,
  { waiting, prints }: { waiting?: WaitingMessages | undefined; prints?: Prints | undefined } = {},
) {
  const wasm = config.tvmWasm;
  const started = new ExecutorThreads({
    deadlineMs: config.callTimeoutMs,
    runTimeoutMs: config.runTimeoutMs,
    wasm,
    shareOf: callerShare,
    patienceOf,
    ...(siblings && { threads: Math.max(1, Math.floor((availableParallelism() - 1) / siblings.count)) }),
  });
  const executor = closers.add(started, (each) => each.close());
  const version = await versionOf(wasm, executor, log);
  const shared = { reader, executor, libraries: new CodeLibraries(reader) };
  const emulator = new TraceEmulator(shared);
  const ahead = waiting && new AccountsAhead({ waiting, emulator, reader });
  return {
    /** For callers. */
    runner: new MethodRunner({
      ...shared,
      executor: prints ? printingMethods(executor, prints) : new ShortMethods(executor, fallback),
      gasLimit: config.getMethodGasLimit,
    }),
    /** Leaves this thread to answers, however many contracts there are to recognise. */
    recogniser: new MethodRunner(shared),
    estimator: new FeeEstimator({ ...shared, ahead }),
    emulator,
    ahead,
    retrace: new Retrace(shared),
    /** On another chain than the one that is read. */
    retraceOn: (reader: ChainReader) => new Retrace({ reader, executor }),
    /** Newest global version whose rules contracts are run by. */
    executorVersion: async () => version,
  };
}

/**
 * Reads the version of an unknown build by running it in a thread of the executor. Throws a SetupError if it does not run.
 */
async function versionOf(wasm: string | undefined, executor: ExecutorThreads, log: Log): Promise<number> {
  const { known } = readBuild(wasm);
  if (known) return known.version;
  const { version, isPatched } = await executor.source().catch((cause: Error) => {
    throw new SetupError(cause.message, { cause });
  });
  if (!isPatched)
    log.warn(
      { build: wasm ?? "of the package", executorVersion: version, limits: plainLimits },
      "contracts run in a build of the emulator that is not known here, without patches",
    );
  return version;
}

const ownPoolCode = contractCode("nominator-pool").hashHex().toUpperCase();

type ContractParts = {
  reader: Pick<ChainReader, "account" | "header" | "config" | "libraries">;
  recogniser: Pick<MethodRunner, "run">;
  retrace?: Pick<Retrace, "block">;
  limits?: Partial<RecognitionLimits> | undefined;
  /** Contracts that are not read from the chain. */
  known?: ((address: Address) => KnownContract | undefined) | undefined;
};
type DetectionConfig = Pick<Config, "network" | "dnsRoots" | "metadataFetch" | "poolCodeHashes">;

/** Recognises contracts by their get-methods. */
export function contractDetection(
  { reader, recogniser, retrace, limits, known = () => undefined }: ContractParts,
  { network, dnsRoots, metadataFetch, poolCodeHashes }: DetectionConfig,
): Detection {
  const zones = new DnsZones({ reader, roots: dnsRoots ?? knownDnsRoots[network] });
  return new Detection(
    {
      at: (block, seen, call) =>
        contractsAt(
          block,
          { reader, runner: recogniser, zones },
          (address) => seen(address) ?? known(address),
          call,
        ),
      libraries: (hashes) => reader.libraries(hashes),
    },
    {
      queuesLinks: metadataFetch === "all",
      // The devnet has its own pool contract.
      poolCodes: [...(network === "devnet" ? [ownPoolCode] : []), ...poolCodeHashes],
      retrace,
      limits,
    },
  );
}

/** As `contractDetection`, for a process that only writes the index. */
export async function openDetection(
  context: Context,
  { api: lite, head, events, outside }: ChainSource,
  special: Pick<ContractParts, "known"> = {},
): Promise<Detection> {
  const reader = new ChainReader({ lite, head, outside });
  events?.onReverted(() => reader.forget());
  const runs = await openContracts(context, reader);
  return contractDetection({ reader, ...runs, ...special }, context.config);
}
