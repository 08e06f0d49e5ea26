import { LRUCache } from "lru-cache";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { parseBocRoot } from "../cells/boc.js";
import type { Cell } from "../cells/cell.js";
import type { PendingMessages } from "../chain/chain-events.js";
import type { LiteCall } from "../chain/lite-api.js";
import type { ChainReader } from "../chain/read/reader.js";
import type { ExpectedTrace, TraceEmulator } from "../chain/run/trace-emulator.js";
import type { Queries } from "../store/database.js";
import type { ActionRow } from "../store/tables/actions.js";
import type { AccountStatus } from "../tlb/account.js";
import type { UnstoredContracts } from "./classify/known-contracts.js";
import type { TraceClassifier } from "./classify/trace-classifier.js";
import type { FinalAccountState } from "./decode/account.js";
import {
  contractsOfTrace,
  type EmulatedDetection,
  lastStates,
  recogniseEmulated,
} from "./emulated-contracts.js";
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
/** Each trace is emulated once in a block, whoever waits for it, so that it has no deadline of its own. Most need far less. */
const maxGas = 20_000_000n;
/** Contracts that a trace deploys and that are looked at; a payment to strangers deploys one or two. */
const maxDeployed = 32;

type PendingParts = {
  mempool: Pick<PendingMessages, "pending">;
  emulator: Pick<TraceEmulator, "emulate">;
  reader: Pick<ChainReader, "last" | "config">;
  classifier: Pick<TraceClassifier, "classify">;
  detection: EmulatedDetection;
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
  /** Contracts that traces deploy, so that the index does not have them. */
  readonly #deployed = new WeakMap<TraceOfRows, UnstoredContracts>();

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

  /** The actions of traces, with contracts as the index has them, or as traces deploy them. */
  async actions(queries: Queries, traces: readonly TraceOfRows[]): Promise<ActionRow[][]> {
    // What one trace deploys may look otherwise in another.
    const [alone, together] = [new Set<TraceOfRows>(), new Set<TraceOfRows>()];
    for (const trace of traces) (this.#deployed.has(trace) ? alone : together).add(trace);
    const actions = new Map<TraceOfRows, ActionRow[]>();
    for (const group of [[...together], ...Array.from(alone, (trace) => [trace])]) {
      const unstored = group[0] && this.#deployed.get(group[0]);
      const results = await this.#parts.classifier.classify(queries, group.map(classifiable), {
        horizon: "now",
        ...(unstored && { unstored }),
      });
      for (const [at, trace] of group.entries()) actions.set(trace, [...results[at]!.actions]);
    }
    return traces.map((trace) => actions.get(trace)!);
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
    const { emulator, reader, detection } = this.#parts;
    const block = reader.last;
    const emulation = { block, sinceLt: message.waitsSinceLt, maxGas };
    const trace = await emulator.emulate(message.external, emulation, call);
    message.waitsSinceLt = trace.waitsSinceLt;
    const rows = await rowsOfTrace(message, trace, block, reader);
    const accounts = deployedBy(trace);
    if (accounts.length > 0) {
      const found = await recogniseEmulated(detection, { accounts, block }, call);
      this.#deployed.set(rows, contractsOfTrace(accounts, found));
    }
    return rows;
  }
}

/** The accounts that were not active before a trace. */
function deployedBy(trace: ExpectedTrace): FinalAccountState[] {
  const before = new Map<string, AccountStatus>();
  for (const { address, transaction } of trace.transactions) {
    const raw = address.toRaw();
    if (!before.has(raw)) before.set(raw, transaction.value.origStatus);
  }
  return lastStates(trace)
    .filter(({ address, code }) => code !== undefined && before.get(address.toRaw()) !== "active")
    .slice(0, maxDeployed);
}
