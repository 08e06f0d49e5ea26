import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { systemTimers, type Timers } from "../../../shared/values/timers.js";
import type { Fallback } from "../../observe/fallback.js";
import { makeFolder } from "../../os/folder.js";
import { KeptFiles } from "../../os/kept-files.js";
import { KeptAnswers } from "./kept-answers.js";
import { KeptOrigin } from "./kept-origin.js";
import { readStart, writeStart } from "./kept-start.js";
import { LiteSource } from "./lite-source.js";
import {
  type ForkOrigin,
  type ForkStart,
  OriginError,
  type OriginLog,
  type OriginOptions,
  type OriginStatus,
} from "./origin.js";
import { keyLength, OriginCache } from "./origin-cache.js";
import { OriginRequests } from "./origin-requests.js";
import type { OriginSource } from "./origin-source.js";
import { UrlSource } from "./url-source.js";

type OriginEnvironment = {
  log: OriginLog;
  fallback: Fallback;
  /** Called when the counters have changed. */
  onStatus?(status: OriginStatus): void;
  timers?: Timers;
  /** Gives up the start. */
  signal?: AbortSignal;
};

const defaultTimeoutMs = 10_000;

/**
 * Opens the network at which a fork begins. With a cached start nothing is requested, so that a fork restarts offline.
 * Rejects with an `OriginError` if the network cannot be used, or if the folder has another fork.
 */
export async function openOrigin(
  options: OriginOptions,
  environment: OriginEnvironment,
): Promise<ForkOrigin> {
  const { timers = systemTimers, log, fallback, onStatus } = environment;
  const onFailure = (error: unknown) => fallback("fork-cache", error);
  if (options.folder !== undefined) makeFolder(options.folder);
  const source =
    options.kind === "url"
      ? new UrlSource(options, timers)
      : await LiteSource.open(options, { timers, log, onFailure });
  try {
    const { start, answers } = await openStart(source, options, { ...environment, onFailure });
    const requests = new OriginRequests({
      maxParallel: source.maxParallel,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      timers,
      onChange: () => onStatus?.(origin.status()),
    });
    const origin: KeptOrigin = new KeptOrigin({
      ...{ start, source, requests },
      cache: new OriginCache({ answers, onFailure }),
    });
    return origin;
  } catch (error) {
    source.close();
    throw error;
  }
}

type Opened = { start: ForkStart; answers: KeptAnswers | undefined };

/** The start in the folder, or a new one. */
async function openStart(
  source: OriginSource,
  { folder, block, replaces = false }: OriginOptions,
  {
    signal = new AbortController().signal,
    onFailure,
  }: OriginEnvironment & { onFailure(error: unknown): void },
): Promise<Opened> {
  if (folder === undefined) return { start: await source.start(block, signal), answers: undefined };
  const files = new KeptFiles(folder, 1, onFailure);
  const kept = await readStart(files);
  const isSame =
    kept?.identity === source.identity && (block ?? kept.start.block.seqno) === kept.start.block.seqno;
  if (kept && !isSame && !replaces) throw otherFork(folder, kept.start);
  const start = kept && isSame && !replaces ? kept.start : await source.start(block, signal);
  if (start !== kept?.start) await writeStart(files, { identity: source.identity, start });
  return { start, answers: await openAnswers(folder, start) };
}

/** The file has the name of its block, so that answers about another block are never mistaken for its own. */
async function openAnswers(folder: string, { block }: ForkStart): Promise<KeptAnswers> {
  const name = `answers-${block.seqno}-${bytesToHex(block.rootHash).slice(0, 16)}`;
  const others = (await readdir(folder)).filter((each) => each.startsWith("answers-") && each !== name);
  await Promise.all(others.map((each) => rm(join(folder, each), { force: true })));
  return KeptAnswers.open(join(folder, name), keyLength);
}

function otherFork(folder: string, { source, block }: ForkStart): OriginError {
  return new OriginError(
    "refused",
    `${folder} belongs to a fork of ${source} at block ${block.seqno}: name another folder with --data, or fork the same ` +
      "network without --fork-block",
  );
}
