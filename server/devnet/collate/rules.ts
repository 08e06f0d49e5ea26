import type { Validator } from "../../../shared/ton/proofs/verify/trust/validators.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import type { ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { type CurrencyCollection, onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import type { GlobalVersion } from "../../../shared/ton/tlb/global-version.js";
import { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";

const capability = { createStats: 2n, reportVersion: 8n, shortDequeue: 32n, queueSize: 64n } as const;

/** The rules for making blocks, read from the configuration. */
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

  /** Whether the capability is enabled in ConfigParam 8. */
  has(name: keyof typeof capability): boolean {
    return (this.version.capabilities & capability[name]) !== 0n;
  }

  /** Money created by a block as its validators' reward. */
  reward(workchain: number): CurrencyCollection {
    const fees = configParam(this.config, 14);
    if (!fees) return onlyCoins(0n);
    return onlyCoins(workchain === masterchain ? fees.masterchainBlockFee : fees.basechainBlockFee);
  }

  /** The masterchain account whose balance is burned. */
  get blackhole(): Uint8Array | undefined {
    return configParam(this.config, 5)?.blackholeAddr;
  }

  /** The burned part of collected fees. */
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

  /** Masterchain accounts that may have tick and tock transactions. */
  get specialAccounts(): Uint8Array[] {
    const listed = [...(configParam(this.config, 31)?.keys() ?? [])];
    const hasConfig = listed.some((id) => bytesEqual(id, this.#configAddress));
    return hasConfig ? listed : [...listed, this.#configAddress];
  }

  /** The validators of masterchain blocks. They are not shuffled, so the order of the list applies. */
  get masterchainValidators(): Validator[] {
    const set = this.#validatorSet;
    return set ? members(set).slice(0, set.main) : [];
  }

  /** The validators of basechain blocks. In shard groups every member has the same weight. */
  get basechainValidators(): Validator[] {
    const set = this.#validatorSet;
    const count = configParam(this.config, 28)?.shardValidatorsNum ?? 1;
    return set ? members(set, 1n).slice(0, count) : [];
  }

  /** Hash of the set from which both groups are drawn. */
  get validatorSetHash(): string | undefined {
    return (this.config.get(35) ?? this.config.get(34))?.hashHex();
  }

  /** Whether a catchain session of the workchain ends between two unix times. */
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
