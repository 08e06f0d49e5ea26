import { accountIdOf, addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { AccountId } from "../../../shared/ton/lite/lite-api.js";
import { type BlockIdExt, masterchain } from "../../../shared/ton/tlb/block-id.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { Address } from "../../../shared/values/address.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { Payment } from "../../contracts/wallet-order.js";
import { waitUntil } from "../../os/wait-until.js";
import type { Arrival } from "../chain/delivery-watch.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { FollowedTrace, TraceEnd } from "../chain/trace-watch.js";
import type { TransactionKey, TransactionName } from "../chain/transaction-finder.js";
import type { StateEdit } from "../collate/block/edits.js";
import { DevnetError } from "../devnet-error.js";
import {
  accountEdit,
  balanceEdit,
  codeEdit,
  configEdit,
  dataEdit,
  fieldsEdit,
} from "../genesis/account-edits.js";
import type { ClockMode, ClockOffset } from "../moment/clock.js";
import type { NamedSnapshot } from "../storage/chain-records.js";
import type { StoryContract } from "../story/story-contracts.js";
import type { DevnetWallet, DevnetWallets } from "../wallets/devnet-wallets.js";
import { accountIn, bodyOf, cellOf, initOf, internalIn } from "./cell-input.js";
import { type ConfigChange, changedConfig } from "./config-change.js";
import { Faucet } from "./faucet.js";
import type { Miner, MiningSetting } from "./miner.js";
import type { Refork } from "./refork.js";
import { type SnapshotInfo, Snapshots } from "./snapshots.js";

/** A wallet of the devnet. `words` is its public mnemonic; the balance is in nanotons. */
export type WalletInfo = {
  account: AccountId;
  name: string;
  version: string;
  words: string;
  balance: bigint;
};

/** A contract deployed by the story, with its description. */
export type ContractInfo = { account: AccountId } & Pick<StoryContract, "kind" | "name" | "description">;

/** Description of a devnet for developers. */
type DevnetInfo = {
  globalId: number;
  seed: string;
  /** Unix time of the next block. */
  now: number;
  clock: ClockMode;
  /** Seconds between the blocks of a fixed clock. */
  clockStep: number;
  mining: MiningSetting;
  zeroStates: { masterchain: BlockIdExt; basechain: BlockIdExt };
  faucet: WalletInfo;
  prefunded: WalletInfo[];
  /** False while the story is still running. */
  hasStoryEnded: boolean;
};

/** The transaction that received a message, its masterchain block, and how much of the trace is in blocks. */
export type Receipt = {
  txHash: Uint8Array;
  lt: bigint;
  account: AccountId;
  messageHash: Uint8Array;
  block: BlockIdExt;
  end: TraceEnd;
};

/** Messages waiting for a block, as of a masterchain block. */
type OnTheWay = {
  block: BlockIdExt;
  /** External messages waiting for a block. */
  messages: number;
  /** Internal messages waiting for a block. */
  queued: number;
  hasStoryEnded: boolean;
  /** Remaining waiting time, ms. */
  leftMs: number;
};

/** An internal message sent in any account's name. `value` is in nanotons; `bounce` defaults to true. */
type ImpersonatedMessage = {
  from: AccountId;
  to: AccountId;
  value: bigint;
  /** Bags of cells with one root, at most 512 deep. */
  body?: Uint8Array;
  stateInit?: Uint8Array;
  bounce?: boolean;
};

/** A message for the faucet to send, in parts or as an internal message, whose own value does not count. */
type RelayedMessage = { value: bigint } & (
  | { message: Uint8Array }
  | { to: AccountId; body?: Uint8Array; stateInit?: Uint8Array }
);

/** A chain as a file, and its newest block. */
type ExportedState = {
  state: Uint8Array;
  block: BlockIdExt;
  /** Milliseconds that it took. */
  packMs: number;
};

/**
 * Developer controls of the devnet. Writes resolve once their block is stored durably. Arguments and results are plain
 * data, so that the devnet can run in another thread. Refused requests reject with `DevnetError`. Amounts are in
 * nanotons.
 */
export interface DevnetControls {
  info(): Promise<DevnetInfo>;
  /** The deployed contracts of the story. */
  contracts(): Promise<ContractInfo[]>;
  /**
   * Sends an external message; rejects with `LiteError` if it is refused. If a block is made for every message,
   * resolves when the whole trace is in blocks, but at the latest after `maxMs` or on a revert; otherwise immediately.
   * `ignoresSignatures`: its account's checks of signatures succeed whatever is signed.
   */
  send(boc: Uint8Array, maxMs: number, ignoresSignatures?: boolean): Promise<TraceEnd>;
  /**
   * Resolves when no message waits for a block, after `maxMs`, or on a revert; immediately if blocks are made only on
   * request.
   */
  settle(maxMs: number): Promise<OnTheWay>;
  /**
   * Sends money from the faucet. Makes the necessary blocks and resolves when it is delivered. Waits for the rest of
   * the trace as `send` does, by default not at all.
   */
  faucet(to: AccountId, value: bigint, maxMs?: number): Promise<Receipt>;
  /** Like `faucet`, with a body, such as a request that the owner of a wallet signed. */
  relay(message: RelayedMessage, maxMs?: number): Promise<Receipt>;
  /** Makes blocks whose unix times are at least `intervalSec` apart. */
  mine(blocks: number, intervalSec?: number): Promise<{ block: BlockIdExt; mined: number }>;
  /** Takes effect immediately. Returns the new setting. */
  setMining(setting: MiningSetting): Promise<MiningSetting>;
  /** Sets the unix time of the next block. Rejects if it is before the last block. */
  setTime(time: number): Promise<{ now: number }>;
  advanceTime(seconds: number): Promise<{ now: number }>;
  /** `step`: seconds between the blocks of a fixed clock, by default unchanged. */
  setClock(mode: ClockMode, step?: number): Promise<{ mode: ClockMode; step: number; now: number }>;
  /** Sets only the next block's unix time; the clock continues as before. */
  setNextBlockTime(time: number): Promise<{ now: number }>;
  /**
   * Saves the newest block as a snapshot, until an earlier snapshot is reverted to; an unnamed one only lasts as long
   * as the process. Rejects with "conflict" if the name is taken.
   */
  snapshot(name?: string): Promise<{ id: string; block: BlockIdExt }>;
  /** The snapshots, oldest first. */
  snapshots(): Promise<SnapshotInfo[]>;
  /** Rejects with "not-found" for an unknown id. */
  deleteSnapshot(id: string): Promise<void>;
  /** Deletes all snapshots. Returns their number. */
  clearSnapshots(): Promise<number>;
  /** Removes the newest blocks, their snapshots and waiting messages. Rejects with "conflict" unless a block stays. */
  rollback(blocks: number): Promise<{ block: BlockIdExt }>;
  /** Sets the random seed of the next step's blocks. */
  setNextBlockSeed(seed: Uint8Array): Promise<void>;
  /** Reverts to a snapshot, which stays valid. Clears the mempool. Rejects with "not-found" for an unknown id. */
  revert(id: string): Promise<{ block: BlockIdExt }>;
  /** Reverts to the zero states and makes a first block. */
  reset(): Promise<{ block: BlockIdExt }>;
  /** Begins a fork anew at a masterchain block of its network, by default the newest one. */
  fork(block?: number): Promise<{ block: BlockIdExt }>;
  /** Edits an account in a separate block, without a transaction. Creates the account if it does not exist. */
  setBalance(account: AccountId, balance: bigint): Promise<{ block: BlockIdExt }>;
  /** Like `setBalance`; `code` is a bag of cells with one root, at most 512 deep. */
  setCode(account: AccountId, code: Uint8Array): Promise<{ block: BlockIdExt }>;
  /** Like `setBalance`; `data` is a bag of cells with one root, at most 512 deep. */
  setData(account: AccountId, data: Uint8Array): Promise<{ block: BlockIdExt }>;
  /** Changes several parts of an account in one block, or replaces the whole account. */
  setAccount(account: AccountId, change: AccountChange): Promise<{ block: BlockIdExt }>;
  /** Changes the configuration; the block is a key block. Rejects with "invalid" if no block could be made with it. */
  setConfig(change: ConfigChange): Promise<{ block: BlockIdExt }>;
  /** The chain up to a snapshot, by default all of it, with its named snapshots, as a file. */
  exportState(snapshot?: string): Promise<ExportedState>;
  /** Replaces the chain by an exported one of a devnet with the same zero states. */
  importState(state: Uint8Array): Promise<{ block: BlockIdExt }>;
  /**
   * Delivers a message without a sending transaction, in a block made immediately. Waits for its trace as `faucet`
   * does.
   */
  impersonate(message: ImpersonatedMessage, maxMs?: number): Promise<Receipt>;
  /** The place of a transaction. Rejects with "not-found" if there is none with this hash. */
  findTransaction(name: TransactionName): Promise<TransactionKey>;
}

/** Parts of an account as bags of cells, or a whole account in the TL-B form `Account`. */
export type AccountChange =
  | { balance?: bigint; code?: Uint8Array; data?: Uint8Array }
  | { account: Uint8Array };

type ControlDependencies = {
  chain: DevnetChain;
  miner: Miner;
  wallets: DevnetWallets;
  /** Contracts that a story deploys, even if none ran. */
  storyContracts: () => readonly StoryContract[];
  /** Settles when the story no longer uses the faucet's wallet. */
  faucetFree: Promise<unknown>;
  /** Only on a fork. */
  refork?: Refork | undefined;
};

/** Controls of a chain in this thread. */
export class ChainControls implements DevnetControls {
  readonly #chain: DevnetChain;
  readonly #refork: Refork | undefined;
  readonly #miner: Miner;
  readonly #wallets: DevnetWallets;
  readonly #storyContracts: () => readonly StoryContract[];
  readonly #faucet: Faucet;
  readonly #faucetFree: Promise<unknown>;
  #hasStoryEnded = false;
  readonly #storyEnd = new Listeners<void>();
  readonly #snapshots: Snapshots;
  /** The clock's offset at start, which `reset` restores. */
  readonly #initialOffset: ClockOffset;

  constructor({ chain, miner, wallets, storyContracts, faucetFree, refork }: ControlDependencies) {
    this.#faucetFree = faucetFree;
    faucetFree.then(() => {
      this.#hasStoryEnded = true;
      this.#storyEnd.notify();
    });
    this.#chain = chain;
    this.#refork = refork;
    this.#miner = miner;
    this.#wallets = wallets;
    this.#storyContracts = storyContracts;
    this.#initialOffset = chain.clock.offset;
    this.#faucet = new Faucet(chain, wallets.faucet.wallet);
    this.#snapshots = new Snapshots(chain);
  }

  async info(): Promise<DevnetInfo> {
    const { genesis, clock } = this.#chain;
    return {
      globalId: genesis.globalId,
      seed: genesis.seed,
      now: this.#now,
      clock: clock.mode,
      clockStep: clock.step,
      mining: this.#miner.setting,
      zeroStates: { masterchain: genesis.masterchain.id, basechain: genesis.basechain.id },
      faucet: this.#walletInfo(this.#wallets.faucet),
      prefunded: this.#wallets.prefunded.map((wallet) => this.#walletInfo(wallet)),
      hasStoryEnded: this.#hasStoryEnded,
    };
  }

  async contracts(): Promise<ContractInfo[]> {
    return this.#storyContracts()
      .filter(({ address }) => this.#isActive(address))
      .map(contractInfo);
  }

  async send(boc: Uint8Array, maxMs: number, ignoresSignatures = false): Promise<TraceEnd> {
    if (this.#followsTraces) return (await this.#chain.sendFollowed(boc, ignoresSignatures)).ended(maxMs);
    await this.#chain.sendMessage(boc, ignoresSignatures);
    return { isComplete: true, block: undefined, leftMs: maxMs };
  }

  async settle(maxMs: number): Promise<OnTheWay> {
    const chain = this.#chain;
    const onVoid = (listener: () => void) => chain.reverts.add(listener);
    const storyEnd = {
      holds: () => this.#hasStoryEnded,
      onChange: (listener: () => void) => this.#storyEnd.add(listener),
      onVoid,
    };
    const isIdle = {
      holds: () => !chain.hasWork || this.#miner.setting.mode === "manual",
      onChange: (listener: () => void) => chain.heads.add(listener),
      onVoid,
    };
    const leftMs = await waitUntil(isIdle, await waitUntil(storyEnd, maxMs));
    const { mempool, queueSize: queued, head: block } = chain;
    return { block, messages: mempool.size, queued, hasStoryEnded: this.#hasStoryEnded, leftMs };
  }

  faucet(to: AccountId, value: bigint, maxMs = 0): Promise<Receipt> {
    return this.#pay({ to: addressOf(to), value, bounce: false }, maxMs);
  }

  async relay(message: RelayedMessage, maxMs = 0): Promise<Receipt> {
    return this.#pay(relayedPayment(message), maxMs);
  }

  async #pay(payment: Payment, maxMs: number): Promise<Receipt> {
    await this.#faucetFree;
    const paid = await this.#faucet.pay(payment);
    return receiptOf(paid, await this.#endOf(paid, maxMs));
  }

  async mine(blocks: number, intervalSec = 1): Promise<{ block: BlockIdExt; mined: number }> {
    let block = this.#chain.head;
    for (let made = 0; made < blocks; made++) {
      const earliest = made === 0 ? 0 : this.#chain.lastUtime + intervalSec;
      const utime = Math.max(this.#now, earliest);
      const { pair } = await this.#chain.step({ utime }).catch((error) => {
        throw afterBlocks(made, blocks, error);
      });
      block = pair.masterchain.id;
      // The next block of a fork can then deliver what waits for imports.
      await this.#chain.fork?.imports.answered();
    }
    return { block, mined: blocks };
  }

  async setMining(setting: MiningSetting): Promise<MiningSetting> {
    this.#miner.change(setting);
    return this.#miner.setting;
  }

  setTime(time: number): Promise<{ now: number }> {
    return this.#chain.exclusive(() => this.#setTime(time));
  }

  advanceTime(seconds: number): Promise<{ now: number }> {
    return this.#chain.exclusive(() => this.#setTime(this.#now + seconds));
  }

  setClock(mode: ClockMode, step?: number): Promise<{ mode: ClockMode; step: number; now: number }> {
    return this.#chain.exclusive(() => {
      const { clock } = this.#chain;
      clock.setMode(mode, step);
      this.#miner.wake();
      return { mode, step: clock.step, now: this.#now };
    });
  }

  setNextBlockTime(time: number): Promise<{ now: number }> {
    return this.#chain.exclusive(() => {
      this.#chain.clock.setNext(time, this.#chain.lastUtime);
      this.#miner.wake();
      return { now: this.#now };
    });
  }

  snapshot(name?: string): Promise<{ id: string; block: BlockIdExt }> {
    return this.#snapshots.take(name);
  }

  async snapshots(): Promise<SnapshotInfo[]> {
    return this.#snapshots.list();
  }

  deleteSnapshot(id: string): Promise<void> {
    return this.#snapshots.delete(id);
  }

  clearSnapshots(): Promise<number> {
    return this.#snapshots.clear();
  }

  async rollback(blocks: number): Promise<{ block: BlockIdExt }> {
    // The story must not continue with messages that are gone.
    await this.#faucetFree;
    return { block: await this.#snapshots.rollback(blocks, this.#refork?.firstBlock) };
  }

  setNextBlockSeed(seed: Uint8Array): Promise<void> {
    return this.#chain.setNextSeed(seed);
  }

  async revert(id: string): Promise<{ block: BlockIdExt }> {
    return { block: await this.#snapshots.revert(id) };
  }

  async reset(): Promise<{ block: BlockIdExt }> {
    // Liteservers cannot serve a chain without blocks.
    if (this.#refork) await this.#refork.reset(this.#restart);
    else await this.#chain.restart(this.#restart.reverted);
    return { block: await this.#chain.catchUp() };
  }

  async fork(block?: number): Promise<{ block: BlockIdExt }> {
    if (!this.#refork) throw new DevnetError("conflict", "this devnet is not a fork: start it with --fork");
    await this.#faucetFree;
    await this.#refork.begin(block, this.#restart);
    return { block: await this.#chain.catchUp() };
  }

  async exportState(snapshot?: string): Promise<ExportedState> {
    this.#confirmStart("be exported");
    return this.#chain.exclusive(async () => {
      const seqno = snapshot === undefined ? this.#chain.head.seqno : this.#snapshots.seqnoOf(snapshot);
      const kept = this.#snapshots.named().filter(({ mcSeqno }) => mcSeqno <= seqno);
      const began = performance.now();
      const state = await this.#chain.exportState(seqno, kept);
      return { state, block: this.#chain.blockAt(seqno), packMs: performance.now() - began };
    });
  }

  async importState(state: Uint8Array): Promise<{ block: BlockIdExt }> {
    // The story must not continue with wallets that have been replaced.
    await this.#faucetFree;
    this.#confirmStart("take the state of another chain");
    const block = await this.#chain.importState(state, (snapshots) => this.#beginAnew(snapshots));
    this.#miner.wake();
    return { block };
  }

  async setBalance(account: AccountId, balance: bigint): Promise<{ block: BlockIdExt }> {
    return this.#edit(balanceEdit(addressOf(account), balance));
  }

  async setCode(account: AccountId, code: Uint8Array): Promise<{ block: BlockIdExt }> {
    return this.#edit(codeEdit(addressOf(account), cellOf("code", code)));
  }

  async setData(account: AccountId, data: Uint8Array): Promise<{ block: BlockIdExt }> {
    return this.#edit(dataEdit(addressOf(account), cellOf("data", data)));
  }

  async setAccount(account: AccountId, change: AccountChange): Promise<{ block: BlockIdExt }> {
    const address = addressOf(account);
    if ("account" in change) return this.#edit(accountEdit(address, accountIn(change.account, address)));
    const { balance, code, data } = change;
    return this.#edit(
      fieldsEdit(address, {
        ...(balance !== undefined && { balance }),
        ...(code && { code: cellOf("code", code) }),
        ...(data && { data: cellOf("data", data) }),
      }),
    );
  }

  async setConfig(change: ConfigChange): Promise<{ block: BlockIdExt }> {
    const contract = new Address(masterchain, this.#chain.masterchain.master.config.configAddr);
    return this.#edit(configEdit(changedConfig(change), contract));
  }

  async impersonate(message: ImpersonatedMessage, maxMs = 0): Promise<Receipt> {
    const { from, to, value, body, stateInit, bounce = true } = message;
    const injection = {
      from: addressOf(from),
      to: addressOf(to),
      value,
      bounce,
      body: body && bodyOf("body", body),
      init: stateInit && initOf("state_init", stateInit),
    };
    const { injected, pair, trace } = await this.#chain.inject(injection);
    const { transaction } = itemAt(injected, 0);
    const block = pair.masterchain.id;
    return receiptOf({ transaction, block }, await this.#endOf({ trace, block }, maxMs));
  }

  findTransaction(name: TransactionName): Promise<TransactionKey> {
    return this.#chain.findTransaction(name);
  }

  /** Whether a block is made for every message, so that callers can wait for traces. */
  get #followsTraces(): boolean {
    return this.#miner.setting.mode === "message";
  }

  /** How much of a received message's trace is in blocks. */
  async #endOf({ trace, block }: Followed, maxMs: number): Promise<TraceEnd> {
    if (this.#followsTraces) return trace.ended(maxMs);
    trace.leave();
    return { isComplete: true, block, leftMs: maxMs };
  }

  get #restart() {
    return { offset: this.#initialOffset, reverted: () => this.#beginAnew([]) };
  }

  /** State files begin with the zero states, whose accounts are those of the first block that was forked. */
  #confirmStart(action: string): void {
    if (this.#refork?.isMoved)
      throw new DevnetError("conflict", `a fork that began anew cannot ${action}: start one at its block`);
  }

  /** Restores the clock's offset, so that the next block does not get a time that was set later. */
  #beginAnew(snapshots: readonly NamedSnapshot[]): void {
    this.#snapshots.replace(snapshots);
    this.#chain.clock.restore(this.#initialOffset);
  }

  get #now(): number {
    return this.#chain.clock.next(this.#chain.lastUtime);
  }

  #setTime(time: number): { now: number } {
    this.#chain.clock.set(time, this.#chain.lastUtime);
    // Elections may be due now.
    this.#miner.wake();
    return { now: this.#now };
  }

  async #edit(edit: StateEdit): Promise<{ block: BlockIdExt }> {
    const { pair } = await this.#chain.step({ edits: [edit] });
    return { block: pair.masterchain.id };
  }

  #isActive({ workchain, hash }: Address): boolean {
    return this.#chain.account(workchain, hash)?.account.value?.storage.state.kind === "active";
  }

  #walletInfo({ name, wallet, words }: DevnetWallet): WalletInfo {
    const { address } = wallet;
    const { workchain, hash } = address;
    const balance = this.#chain.account(workchain, hash)?.account.value?.storage.balance.coins ?? 0n;
    return { account: accountIdOf(address), name, version: wallet.version, words, balance };
  }
}

function contractInfo({ address, kind, name, description }: StoryContract): ContractInfo {
  return { account: accountIdOf(address), kind, name, description };
}

type Followed = { trace: FollowedTrace; block: BlockIdExt };

function receiptOf({ transaction, block }: Arrival, end: TraceEnd): Receipt {
  const { lt, messages } = transaction.value;
  const message = messages.value.inMsg;
  const to = message?.value.info.kind === "internal" ? accountOf(message.value.info.dest) : undefined;
  if (!message || !to) throw new TypeError("the transaction received no internal message");
  return {
    txHash: transaction.cell.hash(),
    lt,
    account: accountIdOf(to),
    messageHash: message.cell.hash(),
    block,
    end,
  };
}

function relayedPayment({ value, ...message }: RelayedMessage): Payment {
  if ("message" in message) {
    const { to, ...content } = internalIn("boc", message.message);
    return { ...content, to: addressOf(accountIdOf(to)), value };
  }
  const { to, body, stateInit } = message;
  const content = { body: body && bodyOf("body", body), init: stateInit && initOf("state_init", stateInit) };
  return { ...content, to: addressOf(to), value };
}

/** Throws `DevnetError` for workchains other than -1 and 0. */
function addressOf(account: AccountId): Address {
  const { workchain } = account;
  if (workchain !== 0 && workchain !== -1)
    throw new DevnetError("invalid", `there is no workchain ${workchain}`);
  return addressOfId(account);
}

/** Adds to a step's error that earlier blocks were made. */
function afterBlocks(made: number, blocks: number, error: unknown): unknown {
  if (made === 0 || !(error instanceof DevnetError)) return error;
  return new DevnetError(error.kind, `${made} of ${blocks} blocks were made: ${error.message}`);
}
