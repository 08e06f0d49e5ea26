import { closeSync, openSync, readSync } from "node:fs";
import { isBag } from "../../../shared/ton/cells/boc/boc-header.js";
import type { Config } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { Bootstrap, type BootstrapProgress, progressBy } from "../../indexer/bootstrap/bootstrap.js";
import { NamedAccounts } from "../../indexer/bootstrap/named-accounts.js";
import { proveState, type StatePlace, trustState } from "../../indexer/bootstrap/place-state.js";
import { StateFile } from "../../indexer/bootstrap/state-file.js";
import { contractIn, StatePages } from "../../indexer/bootstrap/state-pages.js";
import { WorkFolder } from "../../indexer/bootstrap/work-folder.js";
import { RateMeter } from "../../indexer/work/progress.js";
import { retried } from "../../indexer/work/retried.js";
import type { Environment } from "../environment.js";
import { openDetection } from "../network/contract-runs.js";
import { bootstrapStatus } from "../service/status.js";
import { type ChainJob, type ChainWorkParts, createChainJob } from "./chain-job.js";

/** The file with accounts to store. */
type BootstrapPlan = {
  /** The state of a shard as a node writes it, or a list of addresses. */
  file: string;
  /** Root hash of the state, if the chain is not to prove it. */
  trust?: Uint8Array | undefined;
  /** The folder for data about the state's cells, which are kept until its accounts are stored. */
  folder?: string | undefined;
};

type BootstrapJob = ChainJob & { progress(): BootstrapProgress | undefined };

const magicBytes = 4;

/** Creates the process of `tonwire index --bootstrap`; `listen` starts it. */
export function createBootstrap(
  config: Config,
  plan: BootstrapPlan,
  environment: Environment = {},
): BootstrapJob {
  const isState = isBag(firstBytes(plan.file));
  if (isState && !config.verifyProofs && !plan.trust)
    throw new SetupError(
      "without proofs nothing shows that the state is of the chain: leave out --verify-proofs false, " +
        "or name the state's root hash with --bootstrap-trust",
    );
  if (!isState && plan.trust)
    throw new SetupError(`${plan.file} is not a state: leave out --bootstrap-trust`);
  let progress: () => BootstrapProgress | undefined = () => undefined;
  const follow = (next: typeof progress) => {
    progress = next;
  };
  const job = createChainJob(config, environment, {
    name: "bootstrap",
    mayBeNew: true,
    run: (parts, signal) =>
      isState ? storeState(parts, plan, follow, signal) : storeNamed(parts, plan, follow, signal),
    status() {
      const reached = progress();
      return { bootstrap: reached ? bootstrapStatus(reached) : null };
    },
  });
  return Object.assign(job, { progress: () => progress() });
}

type Follow = (progress: () => BootstrapProgress | undefined) => void;

async function storeState(
  parts: ChainWorkParts,
  { file: path, trust, folder: folderPath = `${path}.tonwire` }: BootstrapPlan,
  follow: Follow,
  signal: AbortSignal,
): Promise<void> {
  const { context, source, database, failed } = parts;
  const folder = await WorkFolder.open(folderPath);
  let isDone = false;
  try {
    const file = await StateFile.open(path, folder, {
      signal,
      onProgress: cellProgress(context.now, follow),
    });
    try {
      const place = await retried(() => placeOf(file, parts, trust), signal, failed);
      const known = (address: Parameters<typeof contractIn>[1]) => contractIn(file, address);
      const bootstrap = new Bootstrap({
        database,
        detection: await openDetection(context, source, { known }),
        accounts: new StatePages({
          database: database.sql({ connections: 1 }),
          lite: source.api,
          file,
          place,
        }),
        now: context.now,
        onError: failed,
      });
      follow(() => bootstrap.progress);
      await bootstrap.run(signal);
      isDone = true;
    } finally {
      file.close();
    }
  } finally {
    await folder.close({ remove: isDone });
  }
}

async function placeOf(
  file: StateFile,
  { source }: ChainWorkParts,
  trust: Uint8Array | undefined,
): Promise<StatePlace> {
  return trust ? trustState(file, trust) : proveState(source.api, file);
}

async function storeNamed(
  { context, source, database, failed }: ChainWorkParts,
  { file: path }: BootstrapPlan,
  follow: Follow,
  signal: AbortSignal,
): Promise<void> {
  const bootstrap = new Bootstrap({
    database,
    detection: await openDetection(context, source),
    accounts: new NamedAccounts({ database: database.sql({ connections: 1 }), lite: source.api, path }),
    now: context.now,
    onError: failed,
  });
  follow(() => bootstrap.progress);
  await bootstrap.run(signal);
}

/** Shows the progress of the passes over the cells of a file, or of several files one by one. */
function cellProgress(now: () => number, follow: Follow): (done: number, all: number) => void {
  let rate = new RateMeter(now);
  let last = Number.POSITIVE_INFINITY;
  return (done, all) => {
    if (done < last) {
      rate = new RateMeter(now);
      rate.begin(done);
    } else rate.reached(done);
    last = done;
    follow(() => progressBy(rate, "cells", { done, all }));
  };
}

function firstBytes(path: string): Uint8Array {
  const bytes = new Uint8Array(magicBytes);
  const file = openSync(path, "r");
  try {
    readSync(file, bytes, 0, magicBytes, 0);
  } finally {
    closeSync(file);
  }
  return bytes;
}
