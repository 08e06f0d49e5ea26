import { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { masterchain } from "../../tlb/block-id.js";
import { configParam } from "../../tlb/config/config-param.js";
import type { ValidatorSet } from "../../tlb/config/validator-set.js";
import type { ConfigDictionary } from "../../tlb/config-params.js";
import { type CurrencyCollection, onlyCoins } from "../../tlb/currency-collection.js";
import type { GlobalVersion } from "../../tlb/global-version.js";
import type { Validator } from "../blocks/validators.js";

const capability = { createStats: 2n, reportVersion: 8n, shortDequeue: 32n, queueSize: 64n } as const;

/** What a configuration says about making blocks. */
export class Rules {
  readonly config: ConfigDictionary;
  readonly #configAddress: Uint8Array;

  constructor(config: ConfigDictionary, configAddress: Uint8Array) {
    this.config = config;
    this.#configAddress = configAddress;
  }

  get version(): GlobalVersion {
    return configParam(this.config, 8) ?? { version: 0, capabilities: 0n };
  }

  has(name: keyof typeof capability): boolean {
    return (this.version.capabilities & capability[name]) !== 0n;
  }

  /** What a block creates for its validators. */
  reward(workchain: number): CurrencyCollection {
    const fees = configParam(this.config, 14);
    if (!fees) return onlyCoins(0n);
    return onlyCoins(workchain === masterchain ? fees.masterchainBlockFee : fees.basechainBlockFee);
  }

  /** The masterchain account where money vanishes. */
  get blackhole(): Uint8Array | undefined {
    return configParam(this.config, 5)?.blackholeAddr;
  }

  /** The part of collected fees that nobody gets. */
  burned(fees: CurrencyCollection): CurrencyCollection {
    const { feeBurnNum, feeBurnDenom } = configParam(this.config, 5) ?? { feeBurnNum: 0, feeBurnDenom: 1 };
    return onlyCoins((fees.coins * BigInt(feeBurnNum)) / BigInt(Math.max(1, feeBurnDenom)));
  }

  get feeCollector(): Address | undefined {
    return account(configParam(this.config, 3) ?? configParam(this.config, 1));
  }

  get minter(): Address | undefined {
    return account(configParam(this.config, 2) ?? configParam(this.config, 0));
  }

  /** Accounts of the masterchain that may want ticks and tocks. */
  get specialAccounts(): Uint8Array[] {
    const listed = [...(configParam(this.config, 31)?.keys() ?? [])];
    const hasConfig = listed.some((id) => bytesEqual(id, this.#configAddress));
    return hasConfig ? listed : [...listed, this.#configAddress];
  }

  /** Who signs masterchain blocks. Validators take no turns here, so the list's order holds. */
  get masterchainValidators(): Validator[] {
    const set = this.#validatorSet;
    return set ? members(set).slice(0, set.main) : [];
  }

  /** Who makes basechain blocks: in groups of shards every member counts the same. */
  get basechainValidators(): Validator[] {
    const set = this.#validatorSet;
    const count = configParam(this.config, 28)?.shardValidatorsNum ?? 1;
    return set ? members(set, 1n).slice(0, count) : [];
  }

  /** Whether a catchain session of the workchain ends between two times. */
  rotates(workchain: number, from: number, to: number): boolean {
    const times = configParam(this.config, 28);
    const seconds = workchain === masterchain ? times?.mcCatchainLifetime : times?.shardCatchainLifetime;
    const lifetime = Math.max(1, seconds ?? 1);
    return Math.floor(to / lifetime) > Math.floor(from / lifetime);
  }

  get #validatorSet(): ValidatorSet | undefined {
    return configParam(this.config, 35) ?? configParam(this.config, 34);
  }
}

function members(set: ValidatorSet, weight?: bigint): Validator[] {
  return Array.from(set.list.values(), (descr) => ({
    publicKey: descr.publicKey.pubkey,
    weight: weight ?? descr.weight,
    ...(descr.kind === "addr" && { adnlAddress: descr.adnlAddr }),
  }));
}

function account(id: Uint8Array | undefined): Address | undefined {
  return id && new Address(masterchain, id);
}
