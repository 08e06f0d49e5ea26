import { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { SigningKey } from "../../chain/ed25519.js";
import { configParam } from "../../tlb/config/config-param.js";
import type { ElectorData } from "../../tlb/elector-data.js";
import type { ChainSide } from "../collate/chain-side.js";
import type { Payment, Wallet } from "../wallets/wallet.js";
import { walletSeqno } from "../wallets/wallet-seqno.js";
import { recoverBody, stakeBody } from "./bodies.js";
import { electorData, electorOf } from "./elector.js";
import { electedAdnl, electionKey, type ValidatorPlan, validatorWallets } from "./validator-roles.js";

/** What the devnet's own validators do. */
export type ClerkSettings = {
  /** Whether they take part in elections. They recover stakes in any case. */
  on: boolean;
  /** How many of them take part. */
  participants: number;
  /** What each of them stakes, in nanotons. Default: half of what it owns. */
  stake: bigint | undefined;
};

/** A validator's wallet and what belongs to it, in nanotons. */
export type Holdings = { wallet: Wallet; balance: bigint; credit: bigint; frozen: bigint; staked: bigint };

type Task = { wallet: Wallet; payment: Payment };

const ton = 1_000_000_000n;
/** Comes back with the answer, less fees. */
const recoveryValue = ton;
/** The elector keeps this much of a stake for its answer. */
const confirmationValue = ton;
/** What a stake leaves in the wallet, so that it can pay for later messages, complaints among them. */
const stakeReserve = 200n * ton;
/** What a recovery needs beyond its value. */
const feeReserve = ton;
/** The elector refuses smaller parts of all stakes. */
const smallestPart = 4096n;
const orderSeconds = 60;

/**
 * Acts for the devnet's validators, by messages to their wallets: they stake in open elections and recover what is
 * returned. What is to be done follows from the state alone, so nothing is stored and equal chains have equal blocks.
 */
export class Clerk {
  readonly #plan: ValidatorPlan;
  readonly #wallets: readonly Wallet[];
  #settings: ClerkSettings;
  /** Keys of the newest election; blocks of one election ask for the same ones. */
  #keys: { electAt: number; keys: SigningKey[] } = { electAt: 0, keys: [] };

  constructor(plan: ValidatorPlan) {
    this.#plan = plan;
    this.#wallets = validatorWallets(plan);
    this.#settings = { on: true, participants: plan.count, stake: undefined };
  }

  get settings(): ClerkSettings {
    return this.#settings;
  }

  set settings(settings: ClerkSettings) {
    this.#settings = settings;
  }

  get wallets(): readonly Wallet[] {
    return this.#wallets;
  }

  /** The keys of the validators for an election. */
  keysFor(electAt: number): readonly SigningKey[] {
    const { seed } = this.#plan;
    if (this.#keys.electAt !== electAt)
      this.#keys = { electAt, keys: this.#wallets.map((_, index) => electionKey(seed, index, electAt)) };
    return this.#keys.keys;
  }

  hasWork(masterchain: ChainSide): boolean {
    return this.#tasks(masterchain, 0).length > 0;
  }

  /** External messages for the next block. `isBusy`: another message to this wallet waits already. */
  orders(masterchain: ChainSide, utime: number, isBusy: (wallet: Address) => boolean): Cell[] {
    const validUntil = Math.min(utime + orderSeconds, 0xffffffff);
    return this.#tasks(masterchain, utime)
      .filter(({ wallet }) => !isBusy(wallet.address))
      .map(({ wallet, payment }) => {
        const seqno = walletSeqno(masterchain.state.accounts.value.get(wallet.address.hash));
        return wallet.order({ seqno, validUntil, payments: [payment] });
      });
  }

  /** What the validators own. */
  holdings(masterchain: ChainSide): Holdings[] {
    const elector = electorData(masterchain);
    return elector ? this.#wallets.map((wallet) => holdingsOf(wallet, masterchain, elector)) : [];
  }

  #tasks(masterchain: ChainSide, utime: number): Task[] {
    const elector = electorData(masterchain);
    const to = electorOf(masterchain);
    if (!elector || !to) return [];
    const tasks = this.#wallets.flatMap((wallet, index): Task[] => {
      const holdings = holdingsOf(wallet, masterchain, elector);
      const payment =
        recovery(holdings, utime) ?? this.#stake(index, holdings, { masterchain, elector, utime });
      return payment ? [{ wallet, payment: { to, ...payment } }] : [];
    });
    if (tasks.length === 0) return tasks;
    const sending = senders(masterchain);
    return tasks.filter(({ wallet }) => !sending.has(wallet.address.toRaw()));
  }

  #stake(
    index: number,
    { wallet, balance, credit, frozen }: Holdings,
    { masterchain, elector, utime }: { masterchain: ChainSide; elector: ElectorData; utime: number },
  ): Omit<Payment, "to"> | undefined {
    const election = elector.election?.value;
    const limits = configParam(masterchain.master.config.config.value, 17);
    const { on, participants, stake } = this.#settings;
    if (!election || election.finished || !limits || !on || index >= participants) return undefined;
    const { electAt: stakeAt, minStake, totalStake } = election;
    const key = this.keysFor(stakeAt)[index]!;
    if (election.members.has(key.publicKey)) return undefined;
    // Half, so that the next round can be staked for while this one's stake is held.
    const wanted = stake ?? smaller((balance + credit + frozen) / 2n, limits.maxStake);
    const amount = smaller(wanted, balance - confirmationValue - stakeReserve);
    if (amount < minStake || amount * smallestPart < totalStake) return undefined;
    const adnl = electedAdnl(key.publicKey);
    const body = stakeBody({ key, source: wallet.address, stakeAt, adnl, queryId: BigInt(utime) });
    return { value: amount + confirmationValue, body };
  }
}

function recovery({ balance, credit }: Holdings, utime: number): Omit<Payment, "to"> | undefined {
  if (credit === 0n || balance < recoveryValue + feeReserve) return undefined;
  return { value: recoveryValue, body: recoverBody(BigInt(utime)) };
}

function holdingsOf(wallet: Wallet, { state }: ChainSide, elector: ElectorData): Holdings {
  const { hash } = wallet.address;
  const sumOf = (stakes: Iterable<{ source: Uint8Array; stake: bigint }>) => {
    let sum = 0n;
    for (const { source, stake } of stakes) if (bytesEqual(source, hash)) sum += stake;
    return sum;
  };
  const past = Array.from(elector.pastElections.values(), ({ frozen }) => sumOf(frozen.values()));
  const election = elector.election?.value;
  return {
    wallet,
    balance: state.accounts.value.get(hash)?.account.value?.storage.balance.coins ?? 0n,
    credit: elector.credits.get(hash) ?? 0n,
    frozen: past.reduce((sum, stake) => sum + stake, 0n),
    // The stakes of an election that was held are frozen or credited.
    staked: election && !election.finished ? sumOf(election.members.values()) : 0n,
  };
}

/** Accounts whose messages wait in the masterchain's queue. */
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
