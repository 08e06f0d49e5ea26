import type { Cell } from "../../../shared/ton/cells/cell.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import type { ElectorData } from "../../../shared/ton/tlb/elector-data.js";
import { Address } from "../../../shared/values/address.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { SigningKey } from "../../chain/ed25519.js";
import type { NominatorPool } from "../../contracts/nominator-pool.js";
import type { Payment } from "../../contracts/wallet-order.js";
import type { ChainSide } from "../collate/chain-side.js";
import type { Wallet } from "../wallets/wallet.js";
import { walletSeqno } from "../wallets/wallet-seqno.js";
import { recoverBody, type Stake, stakeBody, stakeOrderBody } from "./bodies.js";
import { electorData, electorOf } from "./elector.js";
import { balanceOf, dataUnder, type Holdings, holdingsOf } from "./holdings.js";
import { poolAt, poolTask, stakeOfPool } from "./nominator-pool-task.js";
import type { Staker } from "./staker.js";
import { electedAdnl, electionKey, type ValidatorPlan, validatorWallets } from "./validator-roles.js";

/** Settings of the devnet's own validators. */
export type OperatorSettings = {
  /** Whether the validators and staking contracts take part in elections. They recover stakes in any case. */
  on: boolean;
  /** Number of validators that take part. */
  participants: number;
  /** Stake of each validator, in nanotons. Default: half of its funds. */
  stake: bigint | undefined;
};

type Task = { wallet: Wallet; seqno: number; payment: Payment };
/** A staker with its funds; for a pool, also its storage. */
type Position = { staker: Staker; place: number; holdings: Holdings; pool: NominatorPool | undefined };
type Situation = { masterchain: ChainSide; elector: ElectorData; to: Address; utime: number };

const ton = 1_000_000_000n;
/** Returned with the answer, less fees. */
const recoveryValue = ton;
/** Kept by the elector from a stake, for its answer. */
const confirmationValue = ton;
/** Pays for the messages of a staking contract. */
const stakeOrderValue = 2n * ton;
/** Reserve left in the wallet for later messages, including complaints. */
const stakeReserve = 200n * ton;
/** Reserve of a single nominator for storage and fees. */
const contractReserve = 2n * ton;
/** Added to a message's value for fees. */
const feeReserve = ton;
/** The elector refuses smaller fractions of the total stake. */
const smallestPart = 4096n;
const orderSeconds = 60;

/**
 * Acts for the devnet's validators by messages to their wallets: they stake in open elections, directly or through
 * contracts, and recover returned stakes. The tasks are derived from the state alone, so nothing is stored and equal
 * chains have equal blocks.
 */
export class ValidatorOperator {
  readonly #plan: ValidatorPlan;
  readonly #wallets: readonly Wallet[];
  /** The validators, then the contracts. */
  readonly #stakers: readonly Staker[];
  #settings: OperatorSettings;
  /** Keys of the newest election, cached because blocks of one election use the same ones. */
  #keys: { electAt: number; keys: SigningKey[] } = { electAt: 0, keys: [] };

  constructor(plan: ValidatorPlan, contracts: readonly Staker[] = []) {
    this.#plan = plan;
    this.#wallets = validatorWallets(plan);
    const own = this.#wallets.map((wallet, role) => ({ role, wallet, holder: wallet.address }));
    this.#stakers = [...own, ...contracts];
    this.#settings = { on: true, participants: plan.count, stake: undefined };
  }

  get settings(): OperatorSettings {
    return this.#settings;
  }

  set settings(settings: OperatorSettings) {
    this.#settings = settings;
  }

  /** Wallets of the validators. */
  get wallets(): readonly Wallet[] {
    return this.#wallets;
  }

  /** Keys of the validators and contracts for an election. */
  keysFor(electAt: number): readonly SigningKey[] {
    const { seed } = this.#plan;
    if (this.#keys.electAt !== electAt)
      this.#keys = { electAt, keys: this.#stakers.map(({ role }) => electionKey(seed, role, electAt)) };
    return this.#keys.keys;
  }

  hasWork(masterchain: ChainSide): boolean {
    return this.#tasks(masterchain, masterchain.state.genUtime).length > 0;
  }

  /** External messages for the next block. `isBusy`: another message to this wallet is already waiting. */
  orders(masterchain: ChainSide, utime: number, isBusy: (wallet: Address) => boolean): Cell[] {
    const validUntil = Math.min(utime + orderSeconds, 0xffffffff);
    return this.#tasks(masterchain, utime)
      .filter(({ wallet }) => !isBusy(wallet.address))
      .map(({ wallet, seqno, payment }) => wallet.order({ seqno, validUntil, payments: [payment] }));
  }

  /** Funds of the validators and deployed contracts; `place`: index of their keys in `keysFor`. */
  holdings(masterchain: ChainSide): (Holdings & { place: number })[] {
    const elector = electorData(masterchain);
    if (!elector) return [];
    return this.#positions(masterchain, elector).map(({ holdings, place }) => ({ ...holdings, place }));
  }

  #positions(masterchain: ChainSide, elector: ElectorData): Position[] {
    return this.#stakers.flatMap((staker, place) => {
      const pool = staker.role === "pool" ? poolAt(staker, masterchain) : undefined;
      const { role, holder } = staker;
      const isMissing =
        role === "pool" ? !pool : role === "single-nominator" && !dataUnder(role, holder, masterchain);
      const holdings = holdingsOf(holder, masterchain, elector);
      return isMissing ? [] : [{ staker, place, pool, holdings }];
    });
  }

  #tasks(masterchain: ChainSide, utime: number): Task[] {
    const elector = electorData(masterchain);
    const to = electorOf(masterchain);
    if (!elector || !to) return [];
    const situation = { masterchain, elector, to, utime };
    const tasks = this.#positions(masterchain, elector).flatMap((position): Task[] => {
      const { wallet } = position.staker;
      const seqno = walletSeqno(masterchain.state.accounts.value.get(wallet.address.hash));
      // A developer has replaced the wallet's data.
      if (seqno === undefined) return [];
      const payment = recovery(position, situation) ?? this.#stake(position, situation);
      return payment && canPay(wallet, payment, masterchain) ? [{ wallet, seqno, payment }] : [];
    });
    if (tasks.length === 0) return tasks;
    const sending = senders(masterchain);
    return tasks.filter(({ wallet }) => !sending.has(wallet.address.toRaw()));
  }

  #stake(position: Position, { masterchain, elector, to, utime }: Situation): Payment | undefined {
    const { holder, role } = position.staker;
    const election = elector.election?.value;
    const limits = configParam(masterchain.master.config.config.value, 17);
    const { on, participants } = this.#settings;
    const takesPart = on && (typeof role !== "number" || role < participants);
    if (!election || election.finished || !limits || !takesPart) return undefined;
    const { electAt: stakeAt, minStake, totalStake } = election;
    const key = itemAt(this.keysFor(stakeAt), position.place);
    if (election.members.has(key.publicKey)) return undefined;
    const amount = this.#amount(position, limits.maxStake);
    if (amount < minStake || amount * smallestPart < totalStake) return undefined;
    const adnl = electedAdnl(key.publicKey);
    const stake: Stake = { key, source: holder, stakeAt, adnl, queryId: BigInt(utime) };
    const sent = amount + confirmationValue;
    if (typeof role === "number") return { to, value: sent, body: stakeBody(stake) };
    return { to: holder, value: stakeOrderValue, body: stakeOrderBody(sent, stake) };
  }

  /** The amount to stake, without the confirmation value. */
  #amount({ staker: { role }, holdings, pool }: Position, maxStake: bigint): bigint {
    const { balance, credit, frozen } = holdings;
    if (pool) return smaller(stakeOfPool(pool, holdings) - confirmationValue, maxStake);
    const reserve = typeof role === "number" ? stakeReserve : contractReserve;
    const asked = typeof role === "number" ? this.#settings.stake : undefined;
    // Half, so that the next round can be staked while this one's stake is held.
    const wanted = asked ?? smaller((balance + credit + frozen) / 2n, maxStake);
    return smaller(wanted, balance - confirmationValue - reserve);
  }
}

/** The payment that recovers coins, or a prerequisite of it. */
function recovery({ staker, holdings, pool }: Position, situation: Situation): Payment | undefined {
  if (pool) return poolTask(pool, holdings, situation);
  if (holdings.credit === 0n) return undefined;
  const to = typeof staker.role === "number" ? situation.to : staker.holder;
  return { to, value: recoveryValue, body: recoverBody(BigInt(situation.utime)) };
}

function canPay({ address }: Wallet, { value }: Payment, side: ChainSide): boolean {
  return balanceOf(address, side) >= value + feeReserve;
}

/** Accounts with messages in the masterchain's queue. */
function senders({ queueInfo }: ChainSide): Set<string> {
  const found = new Set<string>();
  for (const { outMsg } of queueInfo.outQueue.values()) {
    const { info } = outMsg.value.msg.value;
    if (info.kind === "internal" && info.src instanceof Address) found.add(info.src.toRaw());
  }
  return found;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
