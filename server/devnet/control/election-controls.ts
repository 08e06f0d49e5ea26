import { accountIdOf } from "../../../shared/ton/lite/account-id.js";
import type { AccountId } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { knownParam } from "../../../shared/ton/tlb/config/config-param.js";
import { totalWeight } from "../../../shared/ton/tlb/config/validator-set.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { Mutex } from "../../os/mutex.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import { DevnetError } from "../devnet-error.js";
import { electionOfSet, electorData } from "../elections/elector.js";
import type { Holdings } from "../elections/holdings.js";
import type { ElectionPreset } from "../elections/presets.js";
import { type ElectionPhase, type Schedule, scheduleOf } from "../elections/schedule.js";
import type { OperatorSettings, ValidatorOperator } from "../elections/validator-operator.js";
import { firstValidatorKeys } from "../elections/validator-roles.js";
import { type Accusation, accuse } from "./complaint.js";

/** A member of the current set, and whether this process has its key. */
type ForceMember = { publicKey: Uint8Array; weight: bigint; hasKey: boolean };

/**
 * One of the devnet's own validators, identified by its wallet or the contract that stakes for it. Amounts are in
 * nanotons.
 */
export type OwnValidator = Omit<Holdings, "holder"> & { account: AccountId; publicKey: Uint8Array };

/** The validators and the state of elections. Times are unix times. */
export type ElectionsInfo = OperatorSettings &
  Omit<Schedule, "due"> & {
    preset: ElectionPreset | undefined;
    set: {
      since: number;
      until: number;
      /** Undefined for a set that was not elected. */
      electionId: number | undefined;
      totalWeight: bigint;
      validators: ForceMember[];
    };
    validators: OwnValidator[];
    verifiable: boolean;
  };

/**
 * Developer controls of the devnet's elections. Arguments and results are plain data. Refused requests reject with
 * `DevnetError`.
 */
export interface ElectionControls {
  info(): Promise<ElectionsInfo>;
  /** Absent members stay unchanged. A stake of 0 means half of a validator's funds. */
  change(settings: Partial<OperatorSettings>): Promise<ElectionsInfo>;
  /** Imports a validator's private key; returns the public key. */
  addKey(seed: Uint8Array): Promise<Uint8Array>;
  /** Moves the time to the end of the phase, and makes blocks until nothing is due. */
  skipPhase(): Promise<{ block: BlockIdExt; phase: ElectionPhase }>;
  /** Complains about a validator of the current set, and votes. */
  complain(
    accusation: Accusation,
  ): Promise<{ complaintHash: Uint8Array; electionId: number; block: BlockIdExt }>;
}

/** Each phase ends within a few blocks; waiting validators may need more. */
const maxBlocksOfPhase = 64;

/** Controls of a chain in this thread. */
export class ChainElections implements ElectionControls {
  readonly #chain: DevnetChain;
  readonly #onChange: () => void;
  /** Complaints use the same wallet, so they run one at a time. */
  readonly #complaints = new Mutex();

  /** `onChange` is called when validators may have new work. */
  constructor(chain: DevnetChain, onChange: () => void) {
    this.#chain = chain;
    this.#onChange = onChange;
  }

  async info(): Promise<ElectionsInfo> {
    const { operator, masterchain, validatorKeys, genesis } = this.#chain;
    const current = knownParam(masterchain.master.config.config.value, 34);
    const known = validatorKeys.known(masterchain);
    return {
      preset: genesis.validators.elections,
      ...(operator ? operator.settings : { on: false, participants: 0, stake: undefined }),
      ...this.#schedule,
      set: {
        since: current.utimeSince,
        until: current.utimeUntil,
        electionId: electionOfSet(masterchain),
        totalWeight: totalWeight(current),
        validators: Array.from(current.list.values(), ({ publicKey: { pubkey }, weight }) => ({
          publicKey: pubkey,
          weight,
          hasKey: known.has(bytesToHex(pubkey)),
        })),
      },
      validators: operator ? this.#ownValidators(operator) : [],
      verifiable: validatorKeys.isVerifiable(masterchain),
    };
  }

  async change({ on, participants, stake }: Partial<OperatorSettings>): Promise<ElectionsInfo> {
    const operator = this.#requireOperator();
    const count = operator.wallets.length;
    if (participants !== undefined && participants > count)
      throw new DevnetError("invalid", `the devnet has ${count} validators of its own`);
    await this.#chain.exclusive(() => {
      const { settings } = operator;
      return this.#chain.keptElections.change(operator, {
        on: on ?? settings.on,
        participants: participants ?? settings.participants,
        stake: stake === undefined ? settings.stake : stake || undefined,
      });
    });
    this.#onChange();
    return this.info();
  }

  async addKey(seed: Uint8Array): Promise<Uint8Array> {
    const { keptElections } = this.#chain;
    return (await this.#chain.exclusive(() => keptElections.addKey(seed))).publicKey;
  }

  async skipPhase(): Promise<{ block: BlockIdExt; phase: ElectionPhase }> {
    const chain = this.#chain;
    this.#requireOperator();
    const { phaseEnd } = this.#schedule;
    if (phaseEnd === undefined && !this.#isDue)
      throw new DevnetError("conflict", "time does not end this phase: an election needs stakes");
    await chain.exclusive(() => {
      if (phaseEnd !== undefined && phaseEnd > chain.clock.next(chain.lastUtime))
        chain.clock.set(phaseEnd, chain.lastUtime);
    });
    let block = chain.head;
    for (let made = 0; made === 0 || (this.#isDue && made < maxBlocksOfPhase); made++)
      block = (await chain.step()).pair.masterchain.id;
    return { block, phase: this.#schedule.phase };
  }

  complain(accusation: Accusation) {
    return this.#complaints.run(() => accuse(this.#chain, this.#requireOperator(), accusation));
  }

  #requireOperator(): ValidatorOperator {
    const { operator } = this.#chain;
    if (!operator)
      throw new DevnetError("conflict", "this devnet holds no elections: begin one with --devnet-elections");
    return operator;
  }

  /** Nothing is scheduled without elections, or while a developer has replaced the elector. */
  get #schedule(): Omit<Schedule, "due"> {
    const known = this.#chain.operator && scheduleOf(this.#chain.masterchain);
    return known ?? { phase: "idle", electAt: undefined, electClose: undefined, phaseEnd: undefined };
  }

  get #isDue(): boolean {
    const { electionDue, lastUtime } = this.#chain;
    return electionDue !== undefined && electionDue <= lastUtime;
  }

  #ownValidators(operator: ValidatorOperator): OwnValidator[] {
    const { masterchain, genesis } = this.#chain;
    const elector = electorData(masterchain);
    const electAt = elector?.election?.value.electAt ?? (elector?.activeId || undefined);
    const keys = electAt === undefined ? firstValidatorKeys(genesis.validators) : operator.keysFor(electAt);
    return operator.holdings(masterchain).flatMap(({ holder, place, ...amounts }) => {
      const account = accountIdOf(holder);
      // The first set contains only the validators' keys.
      const publicKey = keys[place]?.publicKey;
      return publicKey ? [{ account, publicKey, ...amounts }] : [];
    });
  }
}
