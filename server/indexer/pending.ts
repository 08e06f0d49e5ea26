import { LRUCache } from "lru-cache";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { parseBocRoot } from "../cells/boc.js";
import type { Cell } from "../cells/cell.js";
import type { PendingMessages } from "../chain/chain-events.js";
import type { LiteCall } from "../chain/lite-api.js";
import type { ChainReader } from "../chain/read/reader.js";
import type { TraceEmulator } from "../chain/run/trace-emulator.js";
import type { Queries } from "../store/database.js";
import type { ActionRow } from "../store/tables/actions.js";
import type { TraceClassifier } from "./classify/trace-classifier.js";
import {
  classifiable,
  type FirstMessage,
  firstMessage,
  rowsOfTrace,
  type TraceOfRows,
} from "./expected-rows.js";

/** An external message whose trace may not have ended. */
export type PendingMessage = FirstMessage;

/** Only the newest messages are followed. */
const maxMessages = 100;
const keptTraces = 1000;

type PendingParts = {
  mempool: Pick<PendingMessages, "pending">;
  emulator: Pick<TraceEmulator, "emulate">;
  reader: Pick<ChainReader, "last" | "config">;
  classifier: Pick<TraceClassifier, "classify">;
};

/** A message and the state of following it. */
class Followed implements PendingMessage {
  readonly external: Cell;
  readonly hash: Uint8Array;
  readonly hashNorm: Uint8Array;
  /** Its receiver has not accepted it up to this logical time. */
  waitsSinceLt = 0n;
  hasEnded = false;

  constructor(message: Uint8Array) {
    this.external = parseBocRoot(message);
    const { hash, hashNorm } = firstMessage(this.external);
    this.hash = hash;
    this.hashNorm = hashNorm;
  }
}

/** Traces of known messages as of the last block, until the index has all of their transactions. */
export class PendingTraces {
  readonly #parts: PendingParts;
  /** By identity: a waiting message keeps its byte array. */
  readonly #followed = new WeakMap<Uint8Array, Followed>();
  /** Cached traces by block and message. */
  readonly #known = new LRUCache<string, Promise<TraceOfRows>>({ max: keptTraces });

  constructor(parts: PendingParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  async messages(): Promise<PendingMessage[]> {
    const all = (await this.#parts.mempool.pending()).map((message) => this.#follow(message));
    return all
      .filter(({ hasEnded }) => !hasEnded)
      .slice(-maxMessages)
      .reverse();
  }

  /** Marks a message whose trace the index has completely. */
  end(message: PendingMessage): void {
    if (message instanceof Followed) message.hasEnded = true;
  }

  /** Traces of messages; a message without a transaction has none. */
  async traces(messages: readonly PendingMessage[], call: LiteCall): Promise<TraceOfRows[]> {
    const block = bytesToBase64(this.#parts.reader.last.rootHash);
    const followed = messages.filter((message) => message instanceof Followed);
    const traces = await Promise.all(followed.map((message) => this.#traceOf(block, message, call)));
    return traces.filter(({ rows }) => rows.transactions.length > 0);
  }

  /** The actions of traces, with contracts as the index has them. */
  async actions(queries: Queries, traces: readonly TraceOfRows[]): Promise<ActionRow[][]> {
    const results = await this.#parts.classifier.classify(queries, traces.map(classifiable), {
      horizon: "now",
    });
    return results.map(({ actions }) => [...actions]);
  }

  #follow(message: Uint8Array): Followed {
    const known = this.#followed.get(message) ?? new Followed(message);
    this.#followed.set(message, known);
    return known;
  }

  #traceOf(block: string, message: Followed, call: LiteCall): Promise<TraceOfRows> {
    const key = `${block} ${message.external.hashHex()}`;
    const known = this.#known.get(key);
    if (known) return known;
    const trace = this.#expect(message, call);
    this.#known.set(key, trace);
    trace.catch(() => this.#known.delete(key));
    return trace;
  }

  async #expect(message: Followed, call: LiteCall): Promise<TraceOfRows> {
    const { emulator, reader } = this.#parts;
    const block = reader.last;
    const emulation = { block, sinceLt: message.waitsSinceLt };
    const trace = await emulator.emulate(message.external, emulation, call);
    message.waitsSinceLt = trace.waitsSinceLt;
    return rowsOfTrace(message, trace, block, reader);
  }
}
