import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { handledLater } from "../../../shared/values/promises.js";
import { Mutex } from "../../os/mutex.js";
import type { ChainSide, SideTip } from "../collate/chain-side.js";
import type { MadeStep } from "../collate/collate-step.js";
import type { Injection } from "../collate/messages/unsent-messages.js";
import { DevnetError, throwLiteError } from "../devnet-error.js";
import { KeptElections } from "../elections/kept-elections.js";
import { NextDue } from "../elections/next-due.js";
import { ValidatorKeys } from "../elections/validator-keys.js";
import { ValidatorOperator } from "../elections/validator-operator.js";
import { ChainFork } from "../fork/chain-fork.js";
import type { Fetched } from "../fork/imports.js";
import type { Genesis } from "../genesis/genesis.js";
import { ExpectedAccounts } from "../mempool/expected-accounts.js";
import { checkExternal, readExternal } from "../mempool/external-message.js";
import { type ExternalMessage, Mempool, type ReadyMessage } from "../mempool/mempool.js";
import { TrialRuns } from "../mempool/trial-runs.js";
import { BlockSeeds } from "../moment/block-seeds.js";
import type { ChainClock } from "../moment/clock.js";
import type { StepRequest } from "../moment/step-request.js";
import { queueSizeOf, storedAccount, type Tip, tipOf, utimeOf } from "../moment/tip.js";
import { encodeRecord, type NamedSnapshot } from "../storage/chain-records.js";
import type { ChainStorage, StoredChain, StoredMessage } from "../storage/chain-storage.js";
import { type KeptChain, readStateFile, writeStateFile } from "../storage/state-file.js";
import type { ChainExecutor, DevnetChainOptions } from "./chain-options.js";
import { type Arrival, DeliveryWatch } from "./delivery-watch.js";
import { receiverOf } from "./receiver.js";
import { type Beginning, firstStep, firstSteps, StepMaker } from "./step-maker.js";
import { type FollowedTrace, TraceWatch } from "./trace-watch.js";
import { TransactionFinder, type TransactionKey, type TransactionName } from "./transaction-finder.js";

/** A message that `deliver` makes blocks for, and the delivery of the first message it causes. */
type Offer = { message: ExternalMessage; arrival: Promise<Arrival> };

/** Reverts to a masterchain block and deletes named snapshots; changes nothing if that cannot be stored. */
type Revert = (mcSeqno: number, forgotten?: readonly string[]) => Promise<BlockIdExt>;

/** The devnet's two chains: accepts messages, makes steps, reverts. Runs one operation at a time. */
export class DevnetChain {
  readonly genesis: Genesis;
  readonly clock: ChainClock;
  readonly mempool: Mempool;
  readonly seeds: BlockSeeds;
  readonly heads = new Listeners<BlockIdExt>();
  readonly reverts = new Listeners<number>();
  readonly accepted = new Listeners<StoredMessage>();
  /** Messages that were taken out of the mempool on request. */
  readonly dropped = new Listeners<Uint8Array>();
  readonly validatorKeys: ValidatorKeys;
  /** Imports accounts from another network; absent on a chain that has only its own. */
  readonly fork: ChainFork | undefined;
  /** Acts for the validators; absent without elections. */
  readonly operator: ValidatorOperator | undefined;
  /** Election settings made by developers. Change them only while no operation runs. */
  readonly keptElections: KeptElections;
  /** Expected milliseconds until the block that would include a message sent now. */
  msUntilStep: () => number = () => 0;

  readonly #storage: ChainStorage;
  /** Content of the storage when it was opened, besides the chain. */
  readonly stored: Pick<StoredChain, "snapshots" | "fork">;
  readonly #executor: ChainExecutor;
  readonly #runs: TrialRuns;
  readonly #expected = new ExpectedAccounts();
  readonly #steps: StepMaker;
  readonly #jobs = new Mutex();
  readonly #watch = new DeliveryWatch();
  readonly #traces = new TraceWatch();
  readonly #finder: TransactionFinder;
  readonly #due: NextDue | undefined;
  #tip: Tip;
  #isAtImport = false;
  #closed = false;

  private constructor(
    { storage, executor, clock, nowMs, stakers = [], origin, timers }: DevnetChainOptions,
    { last, snapshots, fork }: StoredChain,
  ) {
    this.stored = { snapshots, fork };
    this.genesis = storage.genesis;
    const { validators } = storage.genesis;
    const roles = stakers.map(({ role }) => role);
    this.validatorKeys = new ValidatorKeys(validators, roles);
    this.operator = validators.elections ? new ValidatorOperator(validators, stakers) : undefined;
    this.#due = this.operator && new NextDue(this.operator);
    const parts = { operator: this.operator, keys: this.validatorKeys };
    this.keptElections = new KeptElections(storage, parts);
    this.clock = clock;
    this.mempool = new Mempool(nowMs);
    this.seeds = new BlockSeeds(this.genesis.seed);
    this.#storage = storage;
    this.#finder = new TransactionFinder(storage);
    this.#executor = executor;
    this.#runs = new TrialRuns(executor);
    this.fork = origin && new ChainFork(origin, () => this.#tip, timers);
    this.#steps = new StepMaker({
      storage,
      runs: this.#runs,
      ready: async () => executor.ready?.(),
      clock,
      nowMs,
      seeds: this.seeds,
      mempool: this.mempool,
      operator: this.operator,
      keys: this.validatorKeys,
      fork: this.fork,
    });
    this.#tip = tipOf(this.genesis, last);
  }

  /** Opens the storage and continues with its last step and accepted messages. */
  static async open(options: DevnetChainOptions): Promise<DevnetChain> {
    const stored = await options.storage.open(options.genesis, options.otherGenesis);
    const chain = new DevnetChain(options, stored);
    await chain.keptElections.restore().catch(async (error) => {
      await options.storage.close();
      throw error;
    });
    for (const { boc, ignoresSignatures } of stored.pending) {
      const message = readExternal(boc, ignoresSignatures);
      chain.mempool.add(message);
      chain.mempool.release(message.fileHash);
    }
    return chain;
  }

  /** Waits for running operations and closes the storage. */
  async close(): Promise<void> {
    this.#closed = true;
    this.fork?.close();
    this.#watch.reject(new DevnetError("conflict", "the devnet is closed"));
    this.#traces.abandon();
    await this.#jobs.idle();
    await this.#storage.close();
  }

  get head(): BlockIdExt {
    return this.#tip.masterchain.tip.id;
  }

  /** Newest block and state of both chains. */
  get tip(): { masterchain: SideTip; basechain: SideTip } {
    return { masterchain: this.#tip.masterchain.tip, basechain: this.#tip.basechain.tip };
  }

  /** Unix time of the newest block. */
  get lastUtime(): number {
    return utimeOf(this.#tip);
  }

  /** Messages between contracts that wait for a block. */
  get queueSize(): number {
    return queueSizeOf(this.#tip);
  }

  /** Whether messages wait in the mempool or in a queue. */
  get hasWork(): boolean {
    return this.mempool.size + this.queueSize > 0;
  }

  /** Whether the newest block only imports accounts of the forked network. */
  get isAtImport(): boolean {
    return this.#isAtImport;
  }

  /** Whether a block could deliver a waiting message: some may wait for accounts of the forked network. */
  get canWork(): boolean {
    return this.hasWork && !this.fork?.isStalled;
  }

  /** The masterchain after its newest block. */
  get masterchain(): ChainSide {
    return this.#tip.masterchain;
  }

  /**
   * Unix time of the next block needed by elections; at most the newest block's time if one is needed now. Undefined
   * without elections, or if only a message can advance them.
   */
  get electionDue(): number | undefined {
    return this.#due?.after(this.masterchain, this.lastUtime);
  }

  /** Newest state of an account; undefined if it does not exist. */
  account(workchain: number, id: Uint8Array): ShardAccount | undefined {
    const stored = storedAccount(this.#tip, workchain, id);
    return stored?.account.value && stored;
  }

  /**
   * Checks an external message and adds it to the mempool. Throws `LiteError` if it is refused. `ignoresSignatures`:
   * its account's checks of signatures succeed whatever is signed.
   */
  async sendMessage(boc: Uint8Array, ignoresSignatures = false): Promise<void> {
    await this.#send(readExternal(boc, ignoresSignatures));
  }

  /** Like `sendMessage`; returns the trace of the message. */
  async sendFollowed(boc: Uint8Array, ignoresSignatures = false): Promise<FollowedTrace> {
    const message = readExternal(boc, ignoresSignatures);
    const trace = this.follow(message.root);
    await this.#send(message).catch((error) => {
      trace.leave();
      throw error;
    });
    return trace;
  }

  /** Like `sendMessage`, but does not run the message on its account first. */
  async sendTrusted(boc: Uint8Array): Promise<void> {
    await this.#send(readExternal(boc), true);
  }

  /** Takes a waiting message out of the mempool, so that it may be sent again; undefined if `find` finds none. */
  drop(
    find: (waiting: readonly ReadyMessage[]) => ReadyMessage | undefined,
  ): Promise<ReadyMessage | undefined> {
    return this.#jobs.run(async () => {
      const found = find(this.mempool.ready());
      if (!found) return undefined;
      const { boc, fileHash, root } = found.message;
      await this.#storage.drop(Buffer.from(fileHash, "hex"));
      this.mempool.forget(fileHash);
      this.#watch.reject(new DevnetError("conflict", "the message was taken out of the mempool"), root);
      this.#traces.dropped(root);
      this.dropped.notify(boc);
      return found;
    });
  }

  /** Follows the trace of a message to be sent next. */
  follow(message: Cell): FollowedTrace {
    return this.#traces.follow(message);
  }

  /**
   * Adds a message of the devnet's own wallets. It is not stored, since `deliver` includes it in a block, or removes it
   * before the caller gets an error. Throws `DevnetError` if it is too large.
   */
  async offer(order: Cell): Promise<Offer> {
    const message = ownMessage(order);
    await this.#admit(message, true);
    // It may reject before `deliver` is called.
    const arrival = handledLater(this.#watch.arrivalAfter(order));
    this.#release(message);
    return { message, arrival };
  }

  /**
   * Makes the first step: no messages, one second after the zero states. So all chains with the same seed have the same
   * block 1, which a configuration can name as trusted.
   */
  begin(): Promise<MadeStep> {
    return this.#jobs.run(() => this.#step(firstStep(this.#tip)));
  }

  /** Starts with the cached blocks of an equal chain instead of making the first block. */
  beginWith(kept: KeptChain): Promise<void> {
    return this.#jobs.run(async () => {
      this.#tip = tipOf(this.genesis, await this.#storage.adopt(kept));
      this.heads.notify(this.head);
    });
  }

  /** Begins again from the zero states; calls `reverted` once that is stored. Nothing has changed if it rejects. */
  restart(reverted: () => void, beginning?: Beginning): Promise<void> {
    return this.#jobs.run(async () => {
      const steps = await firstSteps(this.#steps, this.genesis, beginning);
      const pairs = steps.map(({ pair }) => pair);
      await this.#storage.replace({ pairs, snapshots: [] }, beginning?.start);
      this.#wentBack(0, tipOf(this.genesis, undefined));
      reverted();
      for (const made of steps) this.#advance(made, false);
    });
  }

  /** Makes a block with the clock's time if the newest block is older. Returns the newest block. */
  catchUp(request: Pick<StepRequest, "noTicks"> = {}): Promise<BlockIdExt> {
    return this.#jobs.run(async () => {
      if (this.clock.mode === "wall" && this.lastUtime < this.clock.next(this.lastUtime))
        await this.#step(request);
      return this.head;
    });
  }

  /** Makes a step, after all operations requested before. On a fork, accounts to be edited are imported first. */
  step(request: StepRequest = {}): Promise<MadeStep> {
    const job = () => this.#step(request);
    return this.fork ? this.fork.ensure(request).then(() => this.#jobs.run(job)) : this.#jobs.run(job);
  }

  /**
   * Imports accounts of the forked network that no step needs, unless the state has them. Rejects with a DevnetError if
   * the network does not answer.
   */
  async importAccounts(accounts: readonly Address[]): Promise<void> {
    await this.fork?.imports.ensure(accounts);
    await this.#jobs.run(() => this.#import({}));
  }

  /** Delivers a message without a sending transaction in a step. Also returns its trace. */
  async inject(injection: Injection): Promise<MadeStep & { trace: FollowedTrace }> {
    const request = { injected: [injection] };
    if (this.fork) await this.fork.ensure(request);
    const job = async () => {
      const made = await this.#step(request);
      const trace = this.follow(itemAt(made.injected, 0).message);
      // This step may already contain the messages it caused.
      this.#traces.delivered(made.deliveries, made.pair.masterchain.id);
      return { ...made, trace };
    };
    const make = () => this.#jobs.run(job);
    return this.fork ? this.fork.repeated(make) : make();
  }

  /** Sets the random seed of the next step's blocks. */
  setNextSeed(seed: Uint8Array): Promise<void> {
    return this.#jobs.run(async () => {
      this.seeds.request(seed);
      // They were run with another seed.
      this.#runs.clear();
      this.#expected.clear();
    });
  }

  /** Runs a job while no step is in progress. */
  exclusive<T>(job: (revert: Revert) => T | Promise<T>): Promise<T> {
    return this.#jobs.run(async () => job((...to) => this.#revert(...to)));
  }

  /** Stores a snapshot durably. Call it in an exclusive job, like `forgetSnapshots`. */
  keepSnapshot(snapshot: NamedSnapshot): Promise<void> {
    return this.#storage.keepSnapshot(snapshot);
  }

  forgetSnapshots(names: readonly string[]): Promise<void> {
    return this.#storage.forgetSnapshots(names);
  }

  /** The chain up to a masterchain block, and these snapshots, as a state file. Call it in an exclusive job. */
  async exportState(last: number, snapshots: readonly NamedSnapshot[]): Promise<Uint8Array> {
    const kept = snapshots.map((snapshot) => encodeRecord({ type: "snapshot", snapshot }));
    return writeStateFile(this.genesis, [...(await this.#storage.records(last)), ...kept]);
  }

  /** The masterchain block of a step. */
  blockAt(mcSeqno: number): BlockIdExt {
    return this.#storage.idOf(mcSeqno);
  }

  /**
   * Replaces the chain by a state file's; calls `replaced` with its snapshots. Throws `DevnetError` if the file is
   * invalid, belongs to a chain with other zero states, or cannot be stored; then nothing has changed.
   */
  importState(
    file: Uint8Array,
    replaced: (snapshots: readonly NamedSnapshot[]) => void,
  ): Promise<BlockIdExt> {
    return this.#jobs.run(async () => {
      const imported = await readStateFile(file, this.genesis);
      await this.#storage.replace(imported);
      this.#wentBack(0, tipOf(this.genesis, undefined));
      this.#tip = tipOf(this.genesis, imported.pairs.at(-1));
      replaced(imported.snapshots);
      this.heads.notify(this.head);
      return this.head;
    });
  }

  /** The place of a transaction. Throws `DevnetError` if there is none with this hash. */
  async findTransaction(name: TransactionName): Promise<TransactionKey> {
    const found = "hash" in name ? await this.#finder.find(name.hash, this.head.seqno) : name;
    if (!found) throw new DevnetError("not-found", "the devnet has no transaction with this hash");
    return found;
  }

  /**
   * Makes steps until the first message sent by the offered one is delivered. Throws `DevnetError` after `limit` steps.
   */
  async deliver({ message, arrival }: Offer, limit = 100): Promise<Arrival> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    void arrival.then(settle, settle);
    for (let steps = 0; steps < limit && !settled; steps++)
      await this.#jobs
        .run(async () => settled || (await this.#step({})))
        .then(async () => settled || (await this.fork?.goesOn()))
        .catch((error) => {
          throw this.#takeBack(message, error);
        });
    if (!settled) throw new DevnetError("conflict", `the message has not arrived within ${limit} blocks`);
    return arrival;
  }

  /**
   * Removes a message that no block contains. Returns the error for its caller; the error says if it is too late to
   * remove the message.
   */
  #takeBack({ fileHash, root }: ExternalMessage, error: unknown): unknown {
    if (this.mempool.has(fileHash)) {
      this.mempool.forget(fileHash);
      this.#watch.reject(error as Error, root);
      this.#traces.dropped(root);
      return error;
    }
    if (!(error instanceof DevnetError)) return error;
    return new DevnetError(
      error.kind,
      `the transfer is in a block, and arrives with a later one: ${error.message}`,
    );
  }

  /** Reverts to the state after a masterchain block; 0 is the zero state. Clears the mempool. */
  async #revert(mcSeqno: number, forgotten?: readonly string[]): Promise<BlockIdExt> {
    const last = await this.#storage.revert(mcSeqno, forgotten);
    this.#wentBack(mcSeqno, tipOf(this.genesis, last));
    return this.head;
  }

  #wentBack(mcSeqno: number, tip: Tip): void {
    this.#tip = tip;
    this.#isAtImport = false;
    this.mempool.clear();
    this.#runs.clear();
    this.#expected.clear();
    this.seeds.onBlock();
    this.fork?.forget();
    this.#watch.reject(new DevnetError("conflict", `the chain went back to block ${mcSeqno}`));
    this.#traces.abandon();
    this.#finder.truncate(mcSeqno);
    this.reverts.notify(mcSeqno);
    this.heads.notify(this.head);
  }

  async #send(message: ExternalMessage, isTrusted = false): Promise<void> {
    await this.#admit(message, isTrusted);
    try {
      await this.#storage.accept(message);
    } catch (error) {
      this.mempool.forget(message.fileHash);
      throwLiteError(error);
    }
    this.#release(message);
  }

  /** Adds the message to the mempool. Blocks ignore it until it is released. */
  async #admit(message: ExternalMessage, isTrusted: boolean): Promise<void> {
    this.mempool.assertRoom(message);
    await this.#executor.ready?.();
    if (!isTrusted) this.#check(message, await this.fork?.receiverOf(message).catch(throwLiteError));
    if (this.#closed) throw new LiteError(liteErrorCode.cancelled, "the devnet is closed");
    this.mempool.add(message);
  }

  #release({ fileHash, boc, ignoresSignatures }: ExternalMessage): void {
    this.mempool.release(fileHash);
    this.fork?.onMessage();
    this.accepted.notify({ boc, ignoresSignatures });
  }

  /** Runs the message as the next block would. */
  #check(message: ExternalMessage, imported: Fetched | undefined): void {
    const { clock, seeds, fork } = this;
    const coming = { tip: this.#tip, clock, seeds, inMs: this.msUntilStep(), afterLt: fork?.startLt };
    const { receiver, environment } = receiverOf(message, coming, imported);
    const waiting = this.mempool.toAccount(message.destination);
    checkExternal(message, { ...receiver, waiting }, { runs: this.#runs, environment }, this.#expected);
  }

  async #import(request: StepRequest): Promise<void> {
    if (this.#closed) throw new DevnetError("conflict", "the devnet is closed");
    await this.fork?.prepare(request, (taken) => this.#make({ ...taken, utime: this.lastUtime }, true));
  }

  async #step(request: StepRequest): Promise<MadeStep> {
    await this.#import(request);
    const made = await this.#make(request);
    this.fork?.onStep(made);
    return made;
  }

  async #make(request: StepRequest, isImport = false): Promise<MadeStep> {
    const made = await this.#steps.make(request, this.#tip);
    await this.#storage.append(made.pair);
    this.#advance(made, isImport);
    return made;
  }

  /** Imports leave the clock and the settings of the next block alone. */
  #advance({ pair, deliveries }: MadeStep, isImport: boolean): void {
    this.#tip = tipOf(this.genesis, pair);
    this.#isAtImport = isImport;
    if (!isImport) {
      this.clock.onBlock();
      this.seeds.onBlock();
    }
    this.fork?.imports.onBlock();
    this.#runs.clear();
    this.#expected.clear();
    this.#watch.delivered(deliveries, pair.masterchain.id);
    this.#traces.delivered(deliveries, pair.masterchain.id);
    for (const { hash, included } of pair.finished) {
      const message = this.mempool.remove(bytesToHex(hash));
      if (!message || included) continue;
      this.#watch.reject(new DevnetError("conflict", "the account refused the message"), message.root);
      this.#traces.dropped(message.root);
    }
    this.heads.notify(pair.masterchain.id);
  }
}

/** A message of the devnet's own wallets, of which only the contents that a caller gave can be too large. */
function ownMessage(order: Cell): ExternalMessage {
  try {
    return readExternal(serializeBoc(order));
  } catch (error) {
    throw error instanceof LiteError ? new DevnetError("invalid", error.message) : error;
  }
}
