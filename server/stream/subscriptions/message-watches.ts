import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Call } from "../../../shared/methods/define.js";
import { defaultWaitSec, type subscribeParams } from "../../../shared/schema/streams/subscription-params.js";
import type { MessageStatus } from "../../../shared/schema/v3/message-status.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { isFinalStatus } from "../../../shared/values/final-status.js";
import { groupBy } from "../../../shared/values/groups.js";
import { itemAt } from "../../../shared/values/lookups.js";

/** Reads the status of an external message by its normalized hash. */
export type ReadStatus = (hash: Uint8Array, call: Call) => Promise<MessageStatus>;
/** Adds texts to a status. */
type DescribeStatus = (status: MessageStatus) => Promise<MessageStatus>;

/** The last status sent to a client, encoded in its cursor. Within one block, later statuses have greater texts. */
export class LastStatus {
  readonly mark: string;
  readonly #number: number;

  private constructor(number: number, mark: string) {
    this.#number = number;
    this.mark = mark;
  }

  /** `undefined` if the cursor's text has no status. */
  static in(text: string): LastStatus | undefined {
    const [, number, mark] = /^(\d{6})-([\w-]{16})$/.exec(text) ?? [];
    return mark === undefined ? undefined : new LastStatus(Number(number), mark);
  }

  static after(before: LastStatus | undefined, mark: string): LastStatus {
    return new LastStatus(before ? (before.#number + 1) % 1_000_000 : 0, mark);
  }

  get text(): string {
    return `${String(this.#number).padStart(6, "0")}-${this.mark}`;
  }
}

/** `waitMs`: how long the status may stay unknown. `lastStatus`: the last status sent on an earlier connection. */
export type FollowedMessage = {
  readonly hash: Uint8Array;
  readonly waitMs: number;
  readonly lastStatus: LastStatus | undefined;
  /** Whether statuses have texts. */
  readonly withTexts?: boolean;
};

/** The message that a subscription follows; `undefined` for other kinds. */
export function followedIn(
  { message, wait = defaultWaitSec, include }: z.output<typeof subscribeParams>,
  lastStatus: LastStatus | undefined,
): FollowedMessage | undefined {
  return message && { hash: message, waitMs: 1000 * wait, lastStatus, withTexts: include.includes("text") };
}

/** Whether the client received the final status on an earlier connection. */
export function hasEnded({ hash, lastStatus }: Pick<FollowedMessage, "hash" | "lastStatus">): boolean {
  return lastStatus?.mark === finalMarkOf(hash);
}

/**
 * Distinguishes the statuses of a message in cursors. All final statuses of a message share a mark: after it expired,
 * the seqno of its wallet still changes.
 */
function markOf(status: MessageStatus, hash: Uint8Array): string {
  return isFinalStatus(status.status) ? finalMarkOf(hash) : marked(JSON.stringify(status));
}

function finalMarkOf(hash: Uint8Array): string {
  return marked(`final ${bytesToBase64(hash)}`);
}

function marked(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

/** Receives the events of a watch. */
export type MessageSink = {
  /** Whether the client has reached its limit of unread bytes. */
  readonly isFull: boolean;
  /** Called with each changed status. */
  changed(status: MessageStatus, mark: string): void;
  /** Called after the last status. */
  ended(): void;
};

/** A message followed by a client. */
export class MessageWatch {
  readonly hash: Uint8Array;
  readonly #withTexts: boolean;
  readonly #sink: MessageSink;
  /** Latest time at which the status may still be unknown, unix time in ms. */
  readonly #unknownUntil: number;
  /** The mark of the last status sent. */
  #lastMark: string | undefined;
  /** Whether a status could not be sent. */
  isOwed = false;

  constructor(
    { hash, waitMs, lastStatus, withTexts = false }: FollowedMessage,
    now: number,
    sink: MessageSink,
  ) {
    this.hash = hash;
    this.#withTexts = withTexts;
    this.#lastMark = lastStatus?.mark;
    this.#unknownUntil = now + waitMs;
    this.#sink = sink;
  }

  /** Whether the client will receive the status with texts. */
  wantsTextOf(status: MessageStatus): boolean {
    return this.#withTexts && markOf(status, this.hash) !== this.#lastMark;
  }

  /** A client that does not read receives only the latest of several changes. `described`: the status with texts. */
  tell(status: MessageStatus, now: number, described = status): void {
    const isOver = status.status === "unknown" && now >= this.#unknownUntil;
    const isLast = isOver || isFinalStatus(status.status);
    const mark = markOf(status, this.hash);
    const isNew = mark !== this.#lastMark;
    this.isOwed = (isNew || isLast) && this.#sink.isFull;
    if (this.isOwed) return;
    if (isNew) this.#sink.changed(this.#withTexts ? described : status, mark);
    this.#lastMark = mark;
    if (isLast) this.#sink.ended();
  }
}

type Options = { read: ReadStatus; describe: DescribeStatus; now: () => number };

/** Statuses read in parallel. */
const concurrency = 4;

/** Checks the followed messages: each once, however many clients follow it. */
export class MessageWatches {
  readonly #options: Options;
  readonly #all = new Set<MessageWatch>();

  constructor(options: Options) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  add(watch: MessageWatch): void {
    this.#all.add(watch);
  }

  delete(watch: MessageWatch): void {
    this.#all.delete(watch);
  }

  /** Throws the first failure once all have been checked. */
  async look(call: Call): Promise<void> {
    const waiting = groupBy(this.#all, ({ hash }) => bytesToBase64(hash)).values();
    const failures: unknown[] = [];
    const work = async () => {
      for (const watches of waiting) await this.#lookAt(watches, call).catch((error) => failures.push(error));
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (failures.length > 0) throw failures[0];
  }

  async #lookAt(watches: readonly MessageWatch[], call: Call): Promise<void> {
    const { read, describe, now } = this.#options;
    const status = await read(itemAt(watches, 0).hash, call);
    const described = watches.some((watch) => watch.wantsTextOf(status)) ? await describe(status) : status;
    for (const watch of watches) if (this.#all.has(watch)) watch.tell(status, now(), described);
  }
}
