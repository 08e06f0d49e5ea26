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
  /** A start that is known, or "anew" to request another one than the folder's. Default: the folder's, or a new one. */
  start?: ForkStart | "anew";
};

const defaultTimeoutMs = 10_000;
const fullText =
  "the cache of the fork is full: further answers of its network are kept in memory, and requested again after a restart";
const answersPrefix = "answers-";

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
    const { start, answers, isRequested } = await openStart(source, options, { ...environment, onFailure });
    const requests = new OriginRequests({
      maxParallel: source.maxParallel,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      timers,
      hasAnswered: isRequested,
      onChange: () => onStatus?.(origin.status()),
    });
    const origin: KeptOrigin = new KeptOrigin({
      ...{ start, source, requests },
      cache: new OriginCache({ answers, onFailure, onFull: () => log.warn(fullText) }),
    });
    return origin;
  } catch (error) {
    source.close();
    throw error;
  }
}

type Opened = {
  start: ForkStart;
  answers: KeptAnswers | undefined;
  /** Whether the origin has answered, rather than the folder. */
  isRequested: boolean;
};

async function openStart(
  source: OriginSource,
  options: OriginOptions,
  environment: OriginEnvironment & { onFailure(error: unknown): void },
): Promise<Opened> {
  const { folder, block } = options;
  const { start: wanted, signal = new AbortController().signal } = environment;
  let isRequested = false;
  const requested = () => {
    isRequested = true;
    return source.start(block, signal);
  };
  const start =
    wanted === undefined && folder !== undefined
      ? await keptStart(source, { folder, block, requested, ...environment })
      : wanted === undefined || wanted === "anew"
        ? await requested()
        : wanted;
  const answers = folder === undefined ? undefined : answersIn(folder, start);
  return { start, answers, isRequested };
}

type StartOptions = {
  folder: string;
  block: number | undefined;
  requested: () => Promise<ForkStart>;
  onFailure(error: unknown): void;
};

/** The start in the folder, or a new one. */
async function keptStart(
  { identity }: OriginSource,
  { folder, block, requested, onFailure }: StartOptions,
): Promise<ForkStart> {
  const files = new KeptFiles(folder, 1, onFailure);
  const kept = await readStart(files);
  if (!kept) {
    const start = await requested();
    await writeStart(files, { identity, start });
    return start;
  }
  const isSame = kept.identity === identity && (block ?? kept.start.block.seqno) === kept.start.block.seqno;
  if (!isSame) throw otherFork(folder, kept.start);
  return kept.start;
}

function answersIn(folder: string, start: ForkStart): KeptAnswers {
  return KeptAnswers.open(join(folder, answersName(start)), keyLength);
}

/** The file has the name of its block, so that answers about another block are never mistaken for its own. */
function answersName({ block }: ForkStart): string {
  return `${answersPrefix}${block.seqno}-${bytesToHex(block.rootHash).slice(0, 16)}`;
}

/** Removes the answers about other blocks than these. */
export async function keepAnswersOf(starts: readonly ForkStart[], folder: string): Promise<void> {
  const kept = new Set(starts.map(answersName));
  const others = (await readdir(folder)).filter((each) => each.startsWith(answersPrefix) && !kept.has(each));
  await Promise.all(others.map((each) => rm(join(folder, each), { force: true })));
}

function otherFork(folder: string, { source, block }: ForkStart): OriginError {
  return new OriginError(
    "refused",
    `${folder} belongs to a fork of ${source} at block ${block.seqno}: name another folder with --data, or fork the same ` +
      "network without --fork-block",
  );
}
