import type { Cell } from "../../../shared/ton/cells/cell.js";
import { RetraceError } from "../../../shared/ton/run/retrace/retrace-error.js";
import type { Account } from "../../../shared/ton/tlb/account.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { ExecutorError } from "../../chain/executor/executor-error.js";
import { type NominatorPool, readNominatorPool } from "../../contracts/nominator-pool.js";
import { addressToBytes } from "../../store/address-bytes.js";
import {
  accountStatuses,
  codeOf,
  nominatorEventTypes,
  poolValidatorEventTypes,
  transactionKinds,
} from "../../store/codes.js";
import type { RowSet } from "../../store/copy/row-set.js";
import { tables } from "../../store/tables/all-tables.js";
import type { FinalAccountState } from "../decode/account.js";
import type { DecodedTransaction } from "../decode/decode-block.js";
import { keyOf } from "../hash-key.js";
import type { PoolRules } from "../recognition/detector.js";
import type { ChainUnits, MasterchainUnit } from "../units/chain-units.js";
import { electorOps, headOf } from "../validators/validator-events.js";
import { ifStillThere } from "../work/failures.js";
import { nominatorEvents, poolValidatorEvent } from "./pool-events.js";

type Units = Pick<ChainUnits, "account" | "blockBefore">;
type PoolTransaction = DecodedTransaction & { block: BlockIdExt };

/** Long, because a run waits for others of its batch. */
const runDeadlineMs = 600_000;
const ordinary = codeOf(transactionKinds, "ord");
const active = codeOf(accountStatuses, "active");
const nonexist = codeOf(accountStatuses, "nonexist");

/** Derives events of nominator pools' shares from the states before and after each transaction. */
export class PoolIndex {
  readonly #units: Units;
  readonly #rules: PoolRules;

  constructor(units: Units, rules: PoolRules) {
    this.#units = units;
    this.#rules = rules;
  }

  /** Adds the events of a masterchain block. Its transactions must have their final trace ids. */
  async add(unit: MasterchainUnit, elector: Uint8Array | undefined, rows: RowSet): Promise<void> {
    const seen = new Set<string>();
    for (const account of unit.accounts) {
      const key = keyOf(account.state.account);
      const isDeleted = account.state.account_status === nonexist;
      if (seen.has(key) || !(isDeleted || this.#isPool(account.state.code_hash))) continue;
      seen.add(key);
      const transactions = transactionsOf(unit, account.state.account);
      if (transactions.length === 0) continue;
      if (isDeleted && !(await this.#wasPool(unit, account, transactions))) continue;
      const states = await this.#statesOf(unit, account, transactions);
      if (!states) {
        rows.of(tables.unreplayedPools).add({ pool: account.state.account, mc_seqno: unit.seqno });
        continue;
      }
      for (const [place, transaction] of transactions.entries())
        addEvents(transaction, [states[place], states[place + 1]], elector, rows);
    }
  }

  #isPool(codeHash: Uint8Array | undefined): boolean {
    return codeHash !== undefined && this.#rules.codes.has(keyOf(codeHash));
  }

  /** Whether an account deleted in the block was a pool; the block does not show its code. */
  async #wasPool(
    { seqno }: MasterchainUnit,
    { address }: FinalAccountState,
    [first]: readonly PoolTransaction[],
  ): Promise<boolean> {
    if (first!.row.orig_status !== active || seqno === 1) return false;
    const before = await ifStillThere(this.#units.account(await this.#units.blockBefore(seqno), address));
    return this.#isPool(before?.state.code_hash);
  }

  /** The pool before the first transaction and after each one; `undefined` if any state is unknown. */
  async #statesOf(
    unit: MasterchainUnit,
    { address }: FinalAccountState,
    transactions: readonly PoolTransaction[],
  ): Promise<(NominatorPool | undefined)[] | undefined> {
    const [first, last] = [itemAt(transactions, 0).row, itemAt(transactions, -1).row];
    const block = unit.seqno === 1 ? undefined : await this.#units.blockBefore(unit.seqno);
    const before = block && (await ifStillThere(this.#units.account(block, address)));
    if (!before || !bytesEqual(before.state.hash, first.account_state_hash_before)) return undefined;
    const after = await this.#finalState(unit, address, last.account_state_hash_after);
    if (!after) return undefined;
    const between = transactions.slice(0, -1);
    const retraced = between.length === 0 ? [] : await this.#retrace(address, between);
    if (!retraced) return undefined;
    return [
      this.#poolOf(before.state.code_hash, before.data?.cell),
      ...retraced.map((account) => {
        const state = account?.storage.state;
        const init = state?.kind === "active" ? state.init : undefined;
        return this.#poolOf(init?.code?.hash(), init?.data);
      }),
      this.#poolOf(after.state.code_hash, after.data?.cell),
    ];
  }

  async #finalState(
    unit: MasterchainUnit,
    address: FinalAccountState["address"],
    hash: Uint8Array,
  ): Promise<FinalAccountState | undefined> {
    const shown = unit.accounts.find(
      (each) => bytesEqual(each.state.account, addressToBytes(address)) && bytesEqual(each.state.hash, hash),
    );
    if (shown?.data?.cell) return shown;
    const whole = await ifStillThere(this.#units.account(unit.id, address));
    return whole && bytesEqual(whole.state.hash, hash) ? whole : undefined;
  }

  /** The account after each transaction; `undefined` if the network had other rules, or its states are gone. */
  async #retrace(
    address: FinalAccountState["address"],
    transactions: readonly PoolTransaction[],
  ): Promise<Account[] | undefined> {
    const { retrace } = this.#rules;
    if (!retrace) return undefined;
    const states: Account[] = [];
    for (const [at, { block, row }] of transactions.entries()) {
      if (transactions[at + 1]?.block === block) continue;
      const options = { deadlineMs: runDeadlineMs, lane: "index" } as const;
      const runs = await ifStillThere(retrace.block({ block, address, lt: row.lt }, options)).catch(
        ifRefused,
      );
      if (!runs) return undefined;
      for (const { result } of runs.transactions)
        if (result) states.push(decode(ShardAccount, result.shardAccount).account.value);
    }
    return states.length === transactions.length ? states : undefined;
  }

  /** `undefined` if the state is not a pool's. */
  #poolOf(codeHash: Uint8Array | undefined, data: Cell | undefined): NominatorPool | undefined {
    if (!this.#isPool(codeHash) || !data) return undefined;
    return ifReadable(() => readNominatorPool(data));
  }
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof RetraceError || error instanceof ExecutorError)) throw error;
}

/** In chronological order. */
function transactionsOf(unit: MasterchainUnit, account: Uint8Array): PoolTransaction[] {
  return unit.blocks
    .flatMap(({ row, transactions }) => {
      const { workchain, seqno, root_hash: rootHash, file_hash: fileHash } = row;
      const block = { workchain, shard: BigInt.asUintN(64, row.shard), seqno, rootHash, fileHash };
      return transactions
        .filter((each) => bytesEqual(each.row.account, account))
        .map((each) => ({ ...each, block }));
    })
    .sort((a, b) => (a.row.lt < b.row.lt ? -1 : 1));
}

/** The remaining shares of a deleted pool. */
function closed(pool: NominatorPool): NominatorPool {
  return { ...pool, validatorAmount: 0n, nominators: [], withdrawRequests: [] };
}

function addEvents(
  transaction: DecodedTransaction,
  [before, after]: readonly [NominatorPool | undefined, NominatorPool | undefined],
  elector: Uint8Array | undefined,
  rows: RowSet,
): void {
  const { row, inMessage, inBody } = transaction;
  // A deployment is no event.
  if (!before) return;
  const left = after ?? (row.end_status === nonexist ? closed(before) : undefined);
  if (!left) return;
  const head = inBody && headOf(inBody);
  const opcode = inMessage?.opcode === undefined ? undefined : inMessage.opcode >>> 0;
  const isReward =
    elector !== undefined &&
    inMessage?.source !== undefined &&
    bytesEqual(inMessage.source, elector) &&
    row.descr === ordinary &&
    row.compute_success === true &&
    !row.aborted &&
    opcode === electorOps.recovered;
  const common = {
    tx_hash: row.hash,
    tx_lt: row.lt,
    utime: row.now,
    mc_seqno: row.mc_block_seqno,
    trace_id: row.trace_id,
    pool: row.account,
  };
  for (const [event_index, event] of nominatorEvents(before, left, { isReward }).entries())
    rows.of(tables.nominatorPoolEvents).add({
      ...common,
      event_index,
      nominator: addressToBytes(event.nominator),
      type: codeOf(nominatorEventTypes, event.type),
      amount: event.amount,
      balance_delta: event.balanceDelta,
      pending_balance_delta: event.pendingDelta,
      balance_before: event.before.balance,
      balance_after: event.after.balance,
      pending_before: event.before.pending,
      pending_after: event.after.pending,
      withdraw_request_before: event.before.hasRequest,
      withdraw_request_after: event.after.hasRequest,
    });
  const event = poolValidatorEvent(before, left, { isReward, opcode });
  if (!event) return;
  rows.of(tables.nominatorPoolValidatorEvents).add({
    ...common,
    validator: addressToBytes(before.validator),
    type: codeOf(poolValidatorEventTypes, event.type),
    amount: event.amount,
    balance_delta: event.balanceDelta,
    balance_before: event.before,
    balance_after: event.after,
    query_id: head?.queryId,
    cycle_start: isReward && before.stakeAt !== 0 ? before.stakeAt : undefined,
    validator_reward_share: before.validatorRewardShare,
  });
}
