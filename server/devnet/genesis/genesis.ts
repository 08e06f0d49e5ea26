import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { nodeIdShort, type Validator } from "../../../shared/ton/proofs/verify/validators.js";
import { Account, type AccountState } from "../../../shared/ton/tlb/account.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import { type ShardAccount, ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import { Libraries } from "../../../shared/ton/tlb/shard-state.js";
import { type StateInit, stateInitOf, type TickTock } from "../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../shared/values/address.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { shippedVersion } from "../../chain/executor/patches/known-builds.js";
import { versions } from "../../chain/executor/versions.js";
import { storageUsed } from "../../chain/storage-used.js";
import type { ZeroState } from "../blocks/block-pair.js";
import { publish } from "../collate/public-libraries.js";
import { contractCode } from "../contracts/codes.js";
import type { ElectionPreset } from "../elections/presets.js";
import {
  firstValidatorKeys,
  type ValidatorPlan,
  validatorFunds,
  validatorWallets,
} from "../elections/validator-roles.js";
import { configAddress, electorAddress, initialConfig, withPreviousValidators } from "./initial-config.js";
import { masterZeroState, zeroState } from "./zero-states.js";

/** An account of the zero state. Without `init` it is uninitialized and only has a balance, in nanotons. */
export type GenesisAccount = {
  address: Address;
  balance: bigint;
  init?: { code: Cell; data: Cell; special?: TickTock; libraries?: readonly Cell[] } | undefined;
};

/**
 * Contents of the zero states. A stored chain keeps its edition; new chains have the newest.
 * 1: no libraries, and no key block unless a developer changes the configuration.
 * 2: the configuration contract publishes the libraries needed by known wallets. Its data are a step ahead of the
 * configuration, so block 1 is a key block, and the validator has an ADNL address: clients that verify proofs start
 * from
 * a key block, and tonutils-go reads no other validators.
 * 3: mainnet's prices and limits since 2026, and the executor's global version.
 * 4: the faucet and the test wallets are deployed.
 */
export type GenesisEdition = 1 | 2 | 3 | 4;

export type GenesisOptions = {
  seed: string;
  /**
   * Accounts in addition to the elector and the configuration contract, e.g. the faucet. Before edition 4 they have no
   * code.
   */
  accounts: readonly GenesisAccount[];
  rewards?: boolean;
  globalId?: number;
  /** Unix time of the zero states. */
  time?: number;
  /** Default: the newest. */
  edition?: GenesisEdition;
  /** Global version since edition 3; earlier editions have 13. Default: that of this release's executor. */
  version?: number;
  /** Number of validators. Default: 1. */
  validators?: number;
  /** Without it the validators never change. */
  elections?: ElectionPreset | undefined;
};

/** The zero states of a devnet. Deterministic: equal options give equal ids. */
export type Genesis = {
  seed: string;
  /** The network whose state the chain begins with; absent if it has only its own accounts. */
  fork?: { source: string; seqno: number } | undefined;
  globalId: number;
  masterchain: ZeroState;
  basechain: ZeroState;
  validators: ValidatorPlan;
};

/** Default unix time of the zero states: 2025-01-01 UTC. */
export const zeroStateTime = 1_735_689_600;
const defaultGlobalId = -20_250;
const systemBalance = 500_000_000_000n;
/** The elector's own funds, apart from stakes and credits. */
const electorBalance = 10_000_000_000n;
/** The lowest global version that edition 3 has used. */
const firstVersion = 13;

/** Builds both zero states. */
export function createGenesis(options: GenesisOptions): Genesis {
  const { seed, accounts, rewards = false, globalId = defaultGlobalId, time = zeroStateTime } = options;
  const { edition = 4, version, validators: count = 1, elections } = options;
  const plan = { seed, count, elections };
  const validators = firstValidators(plan, edition !== 1);
  const inWorkchain = (workchain: number) =>
    accounts
      .filter(({ address }) => address.workchain === workchain)
      .map(({ init, ...account }) => (edition < 4 ? account : { ...account, init }));
  const common = { globalId, time, lt: 0n };
  const stakers = validatorWallets(plan).map(({ address }) => ({ address, balance: validatorFunds }));

  const base = zeroState({ ...common, workchain: 0, accounts: shardAccounts(inWorkchain(0), time) });
  const config = initialConfig({
    globalId,
    time,
    validators,
    elections,
    basechain: base.id,
    rewards,
    ...(version !== undefined && { version }),
    hasEarlyPrices: edition < 3,
  });
  const masterAccounts = shardAccounts(
    [
      ...inWorkchain(masterchain),
      ...stakers,
      ...systemAccounts(config, itemAt(validators, 0).publicKey, { edition, elections }),
    ],
    time,
  );
  const libraries = librariesOf(edition).reduce(
    (published, library) => publish(published, library, configAddress.hash),
    Libraries.empty,
  );
  const master = masterZeroState({
    ...common,
    accounts: masterAccounts,
    libraries,
    config: { configAddr: configAddress.hash, config: CellOf.of(ConfigDictionary, config) },
    validators,
    basechain: base,
  });
  return { seed, globalId, validators: plan, masterchain: master, basechain: base };
}

/** Zero states that other versions of the devnet made with these options. */
export function* otherZeroStates(options: GenesisOptions): Generator<Genesis> {
  const { version = shippedVersion, validators = 1, elections } = options;
  for (const { version: other } of versions.filter(({ version: each }) => each >= firstVersion)) {
    if (other !== version) yield createGenesis({ ...options, version: other });
    yield createGenesis({ ...options, version: other, edition: 3 });
  }
  yield createGenesis({ ...options, edition: 2 });
  // The first edition had a single, permanent validator.
  if (validators === 1 && elections === undefined) yield createGenesis({ ...options, edition: 1 });
}

/** The validators of the zero states. tonutils-go reads only those with ADNL addresses. */
export function firstValidators(plan: ValidatorPlan, hasAddresses = true): Validator[] {
  return firstValidatorKeys(plan).map(({ publicKey }) => ({
    publicKey,
    weight: 1n,
    ...(hasAddresses && { adnlAddress: nodeIdShort(publicKey) }),
  }));
}

function librariesOf(edition: GenesisEdition): Cell[] {
  return edition === 1 ? [] : [contractCode("wallet v5 beta library")];
}

function systemAccounts(
  config: ConfigDictionary,
  publicKey: Uint8Array,
  { edition, elections }: Pick<GenesisOptions, "elections"> & { edition: GenesisEdition },
): GenesisAccount[] {
  // parameters:^Cell seqno:uint32 publicKey:uint256 proposals:dict
  const parameters = beginCell();
  (edition === 1 ? config : withPreviousValidators(config)).storeDirect(parameters);
  const configData = beginCell().storeRef(parameters.endCell()).storeUint(0, 32);
  configData.storeBytes(publicKey).storeBit(false);
  // currentElection, credits, pastElections: none; unlockedAmount:coins activeId:uint32 activeHash:uint256
  const electorData = beginCell().storeUint(0, 3).storeCoins(0n).storeUint(0, 32).storeUint(0, 256);
  return [
    {
      address: electorAddress,
      balance: elections ? electorBalance : systemBalance,
      init: {
        code: contractCode(elections ? "elections-elector" : "elector"),
        data: electorData.endCell(),
        special: { tick: true, tock: false },
      },
    },
    {
      address: configAddress,
      balance: systemBalance,
      init: {
        code: contractCode(elections ? "elections-config" : "config"),
        data: configData.endCell(),
        special: { tick: false, tock: true },
        libraries: librariesOf(edition),
      },
    },
  ];
}

export function shardAccounts(accounts: readonly GenesisAccount[], time: number): ShardAccounts {
  return ShardAccounts.empty.update(
    accounts.map((account): [Uint8Array, ShardAccount] => [
      account.address.hash,
      {
        account: CellOf.of(Account, newAccount(account, time)),
        lastTransHash: new Uint8Array(32),
        lastTransLt: 0n,
      },
    ]),
  );
}

/** A new account. It pays storage fees from `time` on, unless it is special. */
export function newAccount({ address, balance, init }: GenesisAccount, time: number): NonNullable<Account> {
  const state: AccountState = init ? { kind: "active", init: stateInitWith(init) } : { kind: "uninit" };
  const storage = { lastTransLt: 0n, balance: onlyCoins(balance), state };
  return {
    addr: address,
    storageStat: {
      used: storageUsed(storage),
      storageExtra: { kind: "none" },
      lastPaid: init?.special ? 0 : time,
      duePayment: undefined,
    },
    storage,
  };
}

function stateInitWith({
  code,
  data,
  special,
  libraries = [],
}: NonNullable<GenesisAccount["init"]>): StateInit {
  const plain = stateInitOf(code, data);
  const library = libraries.reduce(
    (published, root) => published.set(root.hash(), { public: true, root }),
    plain.library,
  );
  return { ...plain, special, library };
}
