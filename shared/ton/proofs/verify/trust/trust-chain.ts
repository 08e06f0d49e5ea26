import { NamedError } from "../../../../values/named-error.js";
import { RecentMap } from "../../../../values/recent-map.js";
import { systemTimers, type Timers } from "../../../../values/timers.js";
import { updateHashes } from "../../../cells/merkle/merkle-update.js";
import type { BlockProofQuery, LiteApi, LiteCall, MasterchainInfo } from "../../../lite/lite-api.js";
import { type BlockIdExt, formatBlockId, formatBlockIdExt, sameBlock } from "../../../tlb/block-id.js";
import { isMasterchain } from "../../make/load.js";
import { verifyHeader } from "../headers.js";
import { verifyLookup } from "../lookups.js";
import { check, checkHash, OtherNetwork } from "../proof-error.js";
import type { ProvenChain } from "../proven-chain.js";
import { type KnownSigners, type ProvenStep, provenSteps } from "./block-proof.js";
import { proofDuration } from "./proof-duration.js";
import { SyncProgress, type TrustProgress } from "./sync-progress.js";
import type { TrustRecord, TrustStore } from "./trust-record.js";

const idsKept = 5000;
const outcomesKept = 32;
/** After this time a slow step no longer blocks the steps of other servers. */
const turnMs = 2000;
const daySec = 86_400;
/** Validators get their stakes back after a while, so signatures older than this are not backed by stake. */
const oldSec = 30 * daySec;

export type TrustOptions = {
  network: string;
  zeroState: BlockIdExt;
  /** The newest trusted block of the global configuration; the zero state if it names none. */
  start: BlockIdExt;
  /** Keeps the proven key block; without it every process proves the chain from the start. */
  store?: TrustStore;
  log: TrustLog;
  /** Unix time in seconds. */
  now(): number;
  timers?: Pick<Timers, "after">;
};

type TrustLog = Record<"info" | "warn", (facts: object, text: string) => void>;

/** The store has the record of another network. */
export class OtherNetworkKept extends NamedError {
  static override readonly name = "OtherNetworkKept";
  readonly kept: TrustRecord;

  constructor(store: TrustStore, kept: TrustRecord) {
    super(
      `${store.name} is of another network, ${kept.network} with the zero state ${formatBlockIdExt(kept.zeroState)}`,
    );
    this.kept = kept;
  }
}

/** Facts of the newest block in addition to its id. */
type Outcome = { stateRootHash: Uint8Array; genUtime: number };

/**
 * The proven masterchain of a network: signatures lead from a trusted start block through all key blocks to the newest
 * block. Shared by all servers of the network: each extends it with its proofs, and a wrong proof affects only the server
 * that sent it.
 */
export class TrustChain implements ProvenChain {
  readonly #options: TrustOptions;
  /** Masterchain blocks by seqno. */
  #proven = new RecentMap<number, BlockIdExt>(idsKept);
  readonly #outcomes = new RecentMap<string, Outcome>(outcomesKept);
  readonly #sync = new SyncProgress();
  #record: TrustRecord;
  /** Whether the kept key block is still to be compared with the chain of the servers and of the configuration. */
  #recordIsDoubtful: boolean;
  #signers: KnownSigners | undefined;
  #head: BlockIdExt | undefined;
  #progress: TrustProgress | undefined;
  /** Whether the store did not take the last record. */
  #isUnsaved = false;
  /** Settles with the step in progress. Steps to newer blocks run one at a time, as each one may spare the next. */
  #turn: Promise<unknown> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();

  private constructor(options: TrustOptions, record: TrustRecord) {
    this.#options = options;
    this.#record = record;
    this.#recordIsDoubtful = !sameBlock(record.keyBlock, options.start);
    this.#learn(options.zeroState);
    this.#learn(record.keyBlock);
  }

  /** Reads the kept record. Throws an OtherNetworkKept if it is of another network, and errors of the store. */
  static async open(options: TrustOptions): Promise<TrustChain> {
    const { log, store } = options;
    const kept = await store?.read((problem, outcome) =>
      log.warn({ problem }, `${store.name} is invalid and was ${outcome}: the chain is proven again`),
    );
    if (store && kept && !sameBlock(kept.zeroState, options.zeroState))
      throw new OtherNetworkKept(store, kept);
    const isOutdated = kept !== undefined && kept.keyBlock.seqno < options.start.seqno;
    if (isOutdated)
      log.info({ start: options.start.seqno }, "trust starts at the newer block of the configuration");
    const record = isOutdated ? { ...startRecord(options), head: kept.head } : kept;
    const chain = new TrustChain(options, record ?? startRecord(options));
    if (chain.#record.genUtime > 0) chain.#warnOfAge();
    return chain;
  }

  get zeroState(): BlockIdExt {
    return this.#options.zeroState;
  }

  /** The newest proven key block, where the next proof starts. */
  get keyBlock(): BlockIdExt {
    return this.#record.keyBlock;
  }

  /** The newest proven block; undefined until a server has proven its own newest block. Its seqno never decreases. */
  get head(): BlockIdExt | undefined {
    return this.#head;
  }

  /** The block of the last `keepHead`, also of earlier starts. */
  get floor(): BlockIdExt | undefined {
    return this.#record.head;
  }

  /** Progress of the first proof; undefined before its first key block and after its end. */
  get progress(): TrustProgress | undefined {
    return this.#head ? undefined : this.#progress;
  }

  /** The newest proven block; if there is none, the server's newest block is proven. */
  async headFor(lite: LiteApi, call: LiteCall): Promise<BlockIdExt> {
    return this.#head ?? (await this.newest(lite, call)).last;
  }

  /** The newest block of a server, proven. */
  async newest(lite: LiteApi, call: LiteCall): Promise<MasterchainInfo> {
    const info = await lite.getMasterchainInfo({}, call);
    await this.proveInfo(lite, info, call);
    return info;
  }

  /** Proves that a server's newest block is of this chain and has the stated state hash; returns its time. */
  async proveInfo(lite: LiteApi, info: MasterchainInfo, call: LiteCall): Promise<{ genUtime: number }> {
    const { last, init } = info;
    if (!sameBlock({ ...this.zeroState, ...init }, this.zeroState))
      throw new OtherNetwork("the server is of another network");
    const [, { stateRootHash, genUtime }] = await Promise.all([
      this.prove(lite, last, call),
      this.#outcome(lite, last, call),
    ]);
    checkHash(info.stateRootHash, stateRootHash, `wrong state hash of ${formatBlockId(last)}`);
    return { genUtime };
  }

  /** Proves that a masterchain block is of this chain. Throws if the server's proofs fail. */
  async prove(lite: LiteApi, id: BlockIdExt, call: LiteCall): Promise<void> {
    check(isMasterchain(id), `${formatBlockId(id)} is not of the masterchain`);
    if (this.#recordIsDoubtful) await this.#inTurn(() => this.#checkRecord(lite, call));
    while (!this.#isProven(id)) {
      const isNewer = id.seqno > (this.#head ?? this.keyBlock).seqno;
      const step = () => this.#step(lite, id, call);
      await (isNewer ? this.#inTurn(step) : step());
    }
    if (id.seqno > (this.#head?.seqno ?? -1)) this.#head = id;
  }

  /** Keeps the newest block that callers have seen, as the floor of later ones. */
  async keepHead(head: BlockIdExt): Promise<void> {
    this.#record = { ...this.#record, head };
    // A store that takes nothing would delay each answer.
    if (!this.#isUnsaved) await this.#save();
  }

  /** Forgets the blocks that a revert to this seqno may have replaced, as on a devnet: the next proof begins before them. */
  revert(seqno: number): void {
    this.#replace(seqno < this.keyBlock.seqno ? startRecord(this.#options) : this.#record);
    this.#recordIsDoubtful = !sameBlock(this.keyBlock, this.#options.start);
  }

  /** One request for a proof. */
  async #step(lite: LiteApi, id: BlockIdExt, call: LiteCall): Promise<void> {
    if (this.#isProven(id)) return;
    const from = this.keyBlock;
    const request: BlockProofQuery = { knownBlock: from, targetBlock: id, baseOnGiven: true };
    const answer = await lite.getBlockProof(request, call);
    for await (const step of provenSteps(request, answer, this.#signers)) this.#take(step);
    check(answer.complete || this.keyBlock.seqno > from.seqno, "the proof makes no progress");
    if (this.keyBlock.seqno === from.seqno) return;
    await this.#save();
    if (!answer.complete) this.#report(id.seqno);
  }

  /** State hash and time from the header of a masterchain block. Does not prove that the block is of this chain. */
  async #outcome(lite: LiteApi, id: BlockIdExt, call: LiteCall): Promise<Outcome> {
    const key = formatBlockIdExt(id);
    const known = this.#outcomes.get(key);
    if (known) return known;
    const question = { id, stateUpdate: true };
    const { block, info } = verifyHeader(question, await lite.getBlockHeader(question, call));
    const outcome = { stateRootHash: updateHashes(block.stateUpdate).to, genUtime: info.genUtime };
    this.#outcomes.set(key, outcome);
    return outcome;
  }

  #take({ id, isKeyBlock, genUtime, signers }: ProvenStep): void {
    this.#learn(id);
    if (signers && sameBlock(signers.id, this.keyBlock)) {
      this.#signers = signers;
      if (this.#record.genUtime === 0) this.#dated(signers.genUtime);
    }
    if (!isKeyBlock || genUtime === undefined || id.seqno <= this.keyBlock.seqno) return;
    this.#record = { ...this.#record, keyBlock: id, genUtime };
    this.#signers = undefined;
    this.#sync.add(id.seqno);
  }

  /** The time of the start block is known only with the first proof. */
  #dated(genUtime: number): void {
    this.#record = { ...this.#record, genUtime };
    this.#warnOfAge();
  }

  #warnOfAge(): void {
    const { keyBlock, genUtime } = this.#record;
    const ageSec = this.#options.now() - genUtime;
    if (ageSec <= oldSec) return;
    const days = Math.floor(ageSec / daySec);
    this.#options.log.warn(
      { keyBlock: keyBlock.seqno, days },
      `trust starts at a block that is ${days} days old: the validators after it have no stakes any more; ${proofDuration(ageSec)}`,
    );
  }

  /** Replaces the record if it is proven to be of another chain, as no server could continue from its key block. */
  async #checkRecord(lite: LiteApi, call: LiteCall): Promise<void> {
    if (!this.#recordIsDoubtful) return;
    const { start, log } = this.#options;
    const other = await this.#otherChain(lite, call);
    // Another server may have confirmed the record meanwhile.
    if (!this.#recordIsDoubtful) return;
    if (other) {
      log.warn(
        { start: start.seqno },
        `${this.#storeName} is of another chain than ${other.of} and is replaced`,
      );
      this.#replace(other.record);
    }
    this.#recordIsDoubtful = false;
    if (!other && (start.seqno === 0 || sameBlock(this.#record.start, start))) return;
    this.#record = { ...this.#record, start };
    await this.#save();
  }

  /** Server with a proven different key block, and that block. */
  async #otherChain(lite: LiteApi, call: LiteCall): Promise<{ of: string; record: TrustRecord } | undefined> {
    const { keyBlock } = this;
    const { start } = this.#options;
    const { id } = await lite.lookupBlock({ id: keyBlock, bySeqno: true }, call);
    if (!sameBlock(id, keyBlock))
      return { of: "the liteservers", record: await this.#proveFork(lite, id, call) };
    if (start.seqno === 0 || sameBlock(this.#record.start, start)) return undefined;
    const request = { id: start, bySeqno: true, mcBlockId: keyBlock };
    const answer = await lite.lookupBlockWithProof(request, call);
    verifyLookup(request, answer);
    return sameBlock(answer.id, start)
      ? undefined
      : { of: "the configuration", record: startRecord(this.#options) };
  }

  /**
   * A server claims another block in place of the kept key block. Only a proof that leads from the configured start to
   * that block makes the claim true, which happens when a chain was replaced. Throws if the server has none: the key
   * blocks proven before are kept.
   */
  async #proveFork(lite: LiteApi, id: BlockIdExt, call: LiteCall): Promise<TrustRecord> {
    check(isMasterchain(id) && id.seqno === this.keyBlock.seqno, `${formatBlockId(id)} was not requested`);
    const { store: _, ...unkept } = this.#options;
    const fork = new TrustChain(unkept, startRecord(unkept));
    await fork.prove(lite, id, call);
    return fork.#record;
  }

  #replace(record: TrustRecord): void {
    this.#record = { ...record, head: this.floor };
    this.#signers = undefined;
    this.#head = undefined;
    this.#proven = new RecentMap(idsKept);
    this.#learn(this.zeroState);
    this.#learn(this.keyBlock);
  }

  /** Throws if another block with this seqno is proven. */
  #isProven(id: BlockIdExt): boolean {
    const known = id.seqno === this.keyBlock.seqno ? this.keyBlock : this.#proven.get(id.seqno);
    if (known) check(sameBlock(known, id), `${formatBlockIdExt(id)} is not of this chain`);
    return known !== undefined;
  }

  #learn(id: BlockIdExt): void {
    this.#proven.set(id.seqno, id);
  }

  get #storeName(): string {
    return this.#options.store?.name ?? "the record";
  }

  /** A failure is only logged, once: without the record the next start takes longer. */
  #save(): Promise<void> {
    const { log, now, store } = this.#options;
    this.#record = { ...this.#record, verifiedAt: now() };
    const wasUnsaved = this.#isUnsaved;
    this.#saving = this.#saving
      .then(() => store?.write(this.#record))
      .then(() => {
        this.#isUnsaved = false;
      })
      .catch(({ message: reason }: Error) => {
        this.#isUnsaved = true;
        if (!wasUnsaved)
          log.warn({ reason }, `${this.#storeName} cannot be written: the next start takes longer`);
      });
    return this.#saving;
  }

  #report(target: number): void {
    const progress = this.#sync.estimate(this.keyBlock.seqno, target);
    this.#progress = progress;
    this.#options.log.info(progress, `key block ${progress.proven} of about ${progress.about}`);
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = this.#turn.then(() => this.#end(turn));
    return turn;
  }

  #end(turn: Promise<unknown>): Promise<void> {
    const { timers = systemTimers } = this.#options;
    return new Promise((resolve) => {
      const stop = timers.after(turnMs, resolve);
      const end = () => {
        stop();
        resolve();
      };
      turn.then(end, end);
    });
  }
}

function startRecord({ network, zeroState, start }: TrustOptions): TrustRecord {
  return { network, zeroState, start, keyBlock: start, genUtime: 0, verifiedAt: 0 };
}
