import type { Validator } from "../../../shared/ton/proofs/verify/trust/validators.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { SigningKey } from "../../chain/ed25519.js";
import type { ChainSide } from "../collate/chain-side.js";
import { rulesOf } from "../collate/step.js";
import { electorData } from "./elector.js";
import type { StakerRole } from "./staker.js";
import { electionKey, firstValidatorKeys, type ValidatorPlan } from "./validator-roles.js";

/** A validator of the masterchain, and its key if this process has it. */
type KeyedValidator = Validator & { key: SigningKey | undefined };

/**
 * The validators' keys. The devnet's own keys are derived from seed and election, so none are stored. Others are
 * imported by `add`.
 */
export class ValidatorKeys {
  readonly #plan: ValidatorPlan;
  /** Participants of elections with keys of the devnet. */
  readonly #roles: readonly StakerRole[];
  /** By public key in hex: keys of the zero state's validators, and imported ones. */
  readonly #fixed = new Map<string, SigningKey>();
  /** The group of a set whose keys are all known; valid for many blocks. */
  #cached: { set: string | undefined; group: readonly KeyedValidator[] } | undefined;

  /** `contracts`: stakers in addition to the validators of the plan. */
  constructor(plan: ValidatorPlan, contracts: readonly StakerRole[] = []) {
    this.#plan = plan;
    this.#roles = [...Array(plan.count).keys(), ...contracts];
    for (const key of firstValidatorKeys(plan)) this.#remember(key);
  }

  /** Imports a key. It signs from the next block on. */
  add(seed: Uint8Array): SigningKey {
    const key = new SigningKey(seed);
    this.#remember(key);
    return key;
  }

  /** The validators of the next masterchain block after a state. */
  group(masterchain: ChainSide): readonly KeyedValidator[] {
    const rules = rulesOf({ masterchain });
    const set = rules.validatorSetHash;
    if (this.#cached && this.#cached.set === set) return this.#cached.group;
    const elected = this.#electionKeys(masterchain);
    const group = rules.masterchainValidators.map((validator) => {
      const name = bytesToHex(validator.publicKey);
      return { ...validator, key: this.#fixed.get(name) ?? elected.get(name) };
    });
    if (group.every(({ key }) => key)) this.#cached = { set, group };
    return group;
  }

  /** Public keys in hex for which this process has the private keys, after a state. */
  known(masterchain: ChainSide): Set<string> {
    const signing = this.group(masterchain).flatMap(({ key, publicKey }) =>
      key ? bytesToHex(publicKey) : [],
    );
    return new Set([...this.#fixed.keys(), ...this.#electionKeys(masterchain).keys(), ...signing]);
  }

  /** Keys that sign the next masterchain block after a state. */
  signers(masterchain: ChainSide): SigningKey[] {
    return this.group(masterchain).flatMap(({ key }) => key ?? []);
  }

  /** Whether the known keys' signatures would be accepted by clients: more than two thirds of the weight. */
  isVerifiable(masterchain: ChainSide): boolean {
    const group = this.group(masterchain);
    const weightOf = (some: readonly KeyedValidator[]) => some.reduce((sum, { weight }) => sum + weight, 0n);
    return 3n * weightOf(group.filter(({ key }) => key)) > 2n * weightOf(group);
  }

  /** Own keys for the elections known to the elector. One of them elected the current set. */
  #electionKeys(masterchain: ChainSide): Map<string, SigningKey> {
    const { seed, elections } = this.#plan;
    const ids = elections ? [...(electorData(masterchain)?.pastElections.keys() ?? [])] : [];
    const keys = new Map<string, SigningKey>();
    for (const id of ids)
      for (const role of this.#roles) {
        const key = electionKey(seed, role, id);
        keys.set(bytesToHex(key.publicKey), key);
      }
    return keys;
  }

  #remember(key: SigningKey): void {
    this.#fixed.set(bytesToHex(key.publicKey), key);
  }
}
