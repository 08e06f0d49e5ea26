import { Address } from "../../../shared/values/address.js";
import { addressFromBytes, addressToBytes } from "../../store/address-bytes.js";
import { classificationStates, codeOf } from "../../store/codes.js";
import type { Queries } from "../../store/database.js";
import {
  type ActionContract,
  readAccountData,
  readActionContracts,
} from "../../store/queries/action-contracts.js";
import type { ActionRow } from "../../store/tables/actions.js";
import { maxTransactions } from "../actions/classify.js";
import type { Contract } from "../actions/contracts.js";
import type { AddressText } from "../actions/trace.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import type { ClassifierThread } from "./classifier-thread.js";
import type { ClassifiedTrace, ClassifyJob } from "./classify-trace.js";
import { contractsOf } from "./contracts.js";

/** Code of the state of a trace with its actions. */
export type TraceActions = { state: number; actions: readonly ActionRow[] };

const failed = codeOf(classificationStates, "failed");

/**
 * Each round can ask for what it learned from the contracts of the round before. The known types need three; what is
 * missing after the last one counts as unknown.
 */
const maxRounds = 8;
/** Traces per message to the thread, so that messages stay small. */
const tracesPerMessage = 200;

export type ClassifierOptions = {
  thread: Pick<ClassifierThread, "run">;
  /** Learns why a trace could not be classified. */
  onFailure?: (traceId: Uint8Array, reason: string) => void;
};

/** Classifies traces: loads what is asked of contracts and lets a thread do the rest. */
export class TraceClassifier {
  readonly #options: ClassifierOptions;

  constructor(options: ClassifierOptions) {
    this.#options = options;
  }

  /**
   * The actions of complete traces, in their order. Contracts are looked up in `known` first: those that are recognised and
   * not stored yet. Never fails because of a trace.
   */
  async classify(
    queries: Queries,
    traces: readonly TraceRows[],
    known: readonly ActionContract[] = [],
  ): Promise<TraceActions[]> {
    const contracts = new LoadedContracts(queries, known);
    const results: ClassifiedTrace[] = traces.map(() => unclassified);
    let open = traces.flatMap(({ transactions }, i) => (transactions.length <= maxTransactions ? [i] : []));
    await contracts.load(open.flatMap((i) => accountsOf(traces[i]!)));
    for (let round = 0; open.length > 0 && round < maxRounds; round++) {
      const jobs = open.map((i) => contracts.jobOf(traces[i]!, results[i]!));
      const found = await this.#run(jobs);
      open.forEach((place, i) => {
        results[place] = { ...found[i]!, missing: joined(results[place]!.missing, found[i]!.missing) };
      });
      open = open.filter((_, i) => found[i]!.missing !== undefined);
      await contracts.load(open.flatMap((i) => results[i]!.missing!.contracts));
      await contracts.loadData(open.flatMap((i) => results[i]!.missing!.data));
    }
    results.forEach(({ error }, i) => {
      if (error !== undefined) this.#options.onFailure?.(traces[i]!.trace.trace_id, error);
    });
    return results;
  }

  async #run(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    const results: ClassifiedTrace[] = [];
    for (let at = 0; at < jobs.length; at += tracesPerMessage)
      results.push(...(await this.#runSome(jobs.slice(at, at + tracesPerMessage))));
    return results;
  }

  /** If the thread fails, each trace is tried by itself, so that it costs the others nothing. */
  async #runSome(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    try {
      return await this.#options.thread.run(jobs);
    } catch (error) {
      if (jobs.length === 1) return [{ ...unclassified, error: String(error) }];
      const results: ClassifiedTrace[] = [];
      for (const job of jobs) results.push(...(await this.#runSome([job])));
      return results;
    }
  }
}

const unclassified: ClassifiedTrace = { state: failed, actions: [], missing: undefined, error: undefined };

type Missing = ClassifiedTrace["missing"];

/** What a trace asked for in all rounds, which is what its next round needs. */
function joined(before: Missing, now: Missing): Missing {
  if (!before || !now) return now ?? before;
  return { contracts: [...before.contracts, ...now.contracts], data: [...before.data, ...now.data] };
}

function accountsOf({ transactions }: TraceRows): AddressText[] {
  return transactions.map(({ account }) => addressFromBytes(account).toRawUpper());
}

/** What is known of contracts, for all traces that are classified together. */
class LoadedContracts {
  readonly #queries: Queries;
  readonly #known: ReadonlyMap<AddressText, Contract>;
  readonly #contracts = new Map<AddressText, Contract>();
  readonly #data = new Map<AddressText, Uint8Array | undefined>();

  constructor(queries: Queries, known: readonly ActionContract[]) {
    this.#queries = queries;
    this.#known = contractsOf(known);
  }

  async load(addresses: readonly AddressText[]): Promise<void> {
    const wanted = [...new Set(addresses)].filter((address) => !this.#contracts.has(address));
    if (wanted.length === 0) return;
    const stored = contractsOf(await readActionContracts(this.#queries, wanted.map(bytesOf)));
    for (const address of wanted)
      this.#contracts.set(address, { ...stored.get(address), ...this.#known.get(address) });
  }

  async loadData(addresses: readonly AddressText[]): Promise<void> {
    const wanted = [...new Set(addresses)].filter((address) => !this.#data.has(address));
    if (wanted.length === 0) return;
    for (const address of wanted) this.#data.set(address, undefined);
    for (const { account, data_boc } of await readAccountData(this.#queries, wanted.map(bytesOf)))
      this.#data.set(addressFromBytes(account).toRawUpper(), data_boc);
  }

  /** A trace with the contracts of its accounts, and those it asked for before. */
  jobOf(rows: TraceRows, { missing }: ClassifiedTrace): ClassifyJob {
    const addresses = new Set([...accountsOf(rows), ...(missing?.contracts ?? [])]);
    return {
      rows,
      contracts: new Map([...addresses].map((address) => [address, this.#contracts.get(address) ?? {}])),
      data: new Map((missing?.data ?? []).map((address) => [address, this.#data.get(address)])),
    };
  }
}

function bytesOf(address: AddressText): Uint8Array {
  return addressToBytes(Address.read(address)!.address);
}
