import { itemAt } from "../../../shared/values/lookups.js";
import { rawAddressFromBytes, rawAddressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { type AccountHistory, readAccountHistories } from "../../store/queries/accounts/account-histories.js";
import {
  type ActionContract,
  readAccountData,
  readActionContracts,
} from "../../store/queries/traces/action-contracts.js";
import { readQueuedAmong } from "../../store/queries/upkeep/awaited-contracts.js";
import type { AwaitedContractRow } from "../../store/tables/recognition.js";
import type { UnknownContractRow } from "../../store/tables/unknown-contracts.js";
import type { Contract } from "../actions/contracts.js";
import type { AddressText } from "../actions/trace.js";
import { activeSince, mergeHistories, seenActiveAt } from "../rows/account-history.js";
import { StoredChains } from "../rows/stored-chains.js";
import type { ClassifyJob } from "./classify-trace.js";
import { contractsOf } from "./contracts.js";
import type { TraceQuestion } from "./trace-question.js";

/** Contracts of a batch that is not stored yet. */
export type UnstoredContracts = {
  /** First block of the gap-free run up to the batch. */
  chainFrom: number;
  /** Contracts recognised in the batch. */
  contracts: readonly ActionContract[];
  /** An account's data as a bag of cells; undefined if the stored data are the newest. */
  dataOf(account: Uint8Array): Uint8Array | undefined;
  /** Whether the recognition of an account in the batch is deferred. */
  isQueued(account: Uint8Array): boolean;
  /** Account history derived from the batch's transactions. */
  historyOf(account: Uint8Array): AccountHistory | undefined;
};

/** Point in time at which contracts must exist. */
export type Horizon = "now" | "end of trace";

/**
 * Contracts for all traces that are classified together. With "end of trace", only contracts active by then count, as
 * if no later blocks were stored.
 */
export class KnownContracts {
  readonly #queries: Queries;
  readonly #unstored: UnstoredContracts | undefined;
  readonly #recognised: ReadonlyMap<AddressText, Contract>;
  readonly #contracts = new Map<AddressText, Contract>();
  readonly #data = new Map<AddressText, Uint8Array | undefined>();
  /** Accounts that wait for recognition. */
  readonly #queued = new Set<AddressText>();
  readonly #histories = new Map<AddressText, AccountHistory | undefined>();
  /** Undefined if all stored contracts count. */
  readonly #chains: StoredChains | undefined;

  private constructor(
    queries: Queries,
    chains: StoredChains | undefined,
    unstored: UnstoredContracts | undefined,
  ) {
    this.#queries = queries;
    this.#chains = chains;
    this.#unstored = unstored;
    this.#recognised = contractsOf(unstored?.contracts ?? []);
  }

  static async open(
    queries: Queries,
    horizon: Horizon,
    unstored?: UnstoredContracts,
  ): Promise<KnownContracts> {
    const chains = horizon === "now" ? undefined : await StoredChains.read(queries, unstored?.chainFrom);
    return new KnownContracts(queries, chains, unstored);
  }

  /** Loads everything that the traces request. */
  async load(questions: readonly TraceQuestion[]): Promise<void> {
    await this.#loadContracts(questions.flatMap(({ contracts }) => [...contracts]));
    await this.#loadData(questions.flatMap(({ data }) => [...data]));
    if (this.#chains) await this.#loadHistories(questions.flatMap((question) => this.#doubtful(question)));
  }

  /** A trace with the contracts and data it requests. */
  jobOf(question: TraceQuestion): ClassifyJob {
    const at = (address: AddressText) => this.#counts(address, question);
    return {
      rows: question.rows,
      contracts: new Map(
        Array.from(question.contracts, (address) => [
          address,
          at(address) ? (this.#contracts.get(address) ?? unknown) : unknown,
        ]),
      ),
      data: new Map(
        Array.from(question.data, (address) => [address, at(address) ? this.#data.get(address) : undefined]),
      ),
      mayLearn: this.#chainFrom(question) > 1,
    };
  }

  /** The requested accounts without a known contract that earlier blocks may identify. */
  async unknownOf(questions: readonly TraceQuestion[]): Promise<UnknownContractRow[][]> {
    const asked = questions.map(({ unknown, left }) => unknown.filter((address) => !left.has(address)));
    await this.#loadHistories(asked.flat());
    return questions.map((question, i) => {
      const { trace_id, mc_seqno_end } = question.rows.trace;
      const chain_from = this.#chainFrom(question);
      return itemAt(asked, i)
        .filter((address) => {
          const seen = seenActiveAt(this.#histories.get(address));
          return seen < chain_from || seen > mc_seqno_end;
        })
        .map((address) => ({
          trace_id,
          account: rawAddressToBytes(address),
          chain_from,
          mc_seqno: mc_seqno_end,
        }));
    });
  }

  /** The accounts requested by a trace that wait for recognition. */
  awaitedOf({ contracts, rows }: TraceQuestion): AwaitedContractRow[] {
    const { trace_id, mc_seqno_end: mc_seqno } = rows.trace;
    const awaited = [...contracts].filter((address) => this.#queued.has(address));
    return awaited.map((address) => ({ trace_id, account: rawAddressToBytes(address), mc_seqno }));
  }

  async #loadContracts(addresses: readonly AddressText[]): Promise<void> {
    const wanted = missingIn(this.#contracts, addresses);
    if (wanted.length === 0) return;
    const accounts = wanted.map(rawAddressToBytes);
    // Read before the contracts: accounts recognised in between are then both read and counted as queued.
    for (const account of await readQueuedAmong(this.#queries, accounts))
      this.#queued.add(rawAddressFromBytes(account));
    for (const [at, account] of accounts.entries())
      if (this.#unstored?.isQueued(account)) this.#queued.add(itemAt(wanted, at));
    const stored = contractsOf(await readActionContracts(this.#queries, accounts));
    for (const address of wanted)
      this.#contracts.set(address, { ...stored.get(address), ...this.#recognised.get(address) });
  }

  async #loadData(addresses: readonly AddressText[]): Promise<void> {
    const wanted = missingIn(this.#data, addresses);
    if (wanted.length === 0) return;
    for (const { account, data_boc } of await readAccountData(this.#queries, wanted.map(rawAddressToBytes)))
      this.#data.set(rawAddressFromBytes(account), data_boc);
    for (const address of wanted)
      this.#data.set(address, this.#unstored?.dataOf(rawAddressToBytes(address)) ?? this.#data.get(address));
  }

  async #loadHistories(addresses: readonly AddressText[]): Promise<void> {
    const wanted = missingIn(this.#histories, addresses);
    if (wanted.length === 0) return;
    const stored = await readAccountHistories(this.#queries, wanted.map(rawAddressToBytes));
    for (const { account, ...history } of stored) this.#histories.set(rawAddressFromBytes(account), history);
    for (const address of wanted) {
      const before = this.#histories.get(address);
      const own = this.#unstored?.historyOf(rawAddressToBytes(address));
      this.#histories.set(address, own ? mergeHistories(before, own) : before);
    }
  }

  /** Known accounts requested by a trace that may not have existed yet. */
  #doubtful({ contracts, data, active }: TraceQuestion): AddressText[] {
    const isKnown = (address: AddressText) =>
      this.#data.get(address) !== undefined || hasMembers(this.#contracts.get(address));
    return [...contracts, ...data].filter((address) => !active.has(address) && isKnown(address));
  }

  #counts(address: AddressText, { active, rows }: TraceQuestion): boolean {
    if (!this.#chains || active.has(address) || !this.#histories.has(address)) return true;
    const since = activeSince(this.#histories.get(address), this.#chains) ?? 0;
    return since <= rows.trace.mc_seqno_end;
  }

  /** First block of the gap-free run up to a trace. */
  #chainFrom({ rows }: TraceQuestion): number {
    return this.#chains?.startOf(rows.trace.mc_seqno_end) ?? 1;
  }
}

const unknown: Contract = {};

function hasMembers(contract: Contract | undefined): boolean {
  return contract !== undefined && Object.keys(contract).length > 0;
}

function missingIn(
  known: ReadonlyMap<AddressText, unknown>,
  addresses: readonly AddressText[],
): AddressText[] {
  return [...new Set(addresses)].filter((address) => !known.has(address));
}
