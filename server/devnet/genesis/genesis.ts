import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { nodeIdShort, type Validator } from "../../../shared/ton/proofs/verify/trust/validators.js";
import { versions } from "../../../shared/ton/run/versions.js";
import { Account, type AccountState } from "../../../shared/ton/tlb/account.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import { type ShardAccount, ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import { Libraries } from "../../../shared/ton/tlb/shard-state.js";
import { type StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { storageUsed } from "../../chain/account-fields.js";
import { shippedVersion } from "../../chain/executor/patches/known-builds.js";
import type { ZeroState } from "../collate/block/block-pair.js";
import { publish } from "../collate/masterchain/public-libraries.js";
import { contractCode } from "../contracts/codes.js";
import type { ElectionPreset } from "../elections/presets.js";
import {
  firstValidatorKeys,
  type ValidatorPlan,
  validatorFunds,
  validatorWallets,
} from "../elections/validator-roles.js";
import type { GenesisAccount } from "../wallets/devnet-wallets.js";
import { configAddress, electorAddress, initialConfig, withPreviousValidators } from "./initial-config.js";
import { masterZeroState, zeroState } from "./zero-states.js";

export type GenesisOptions = {
  seed: string;
  /** Accounts in addition to the elector and the configuration contract, e.g. the faucet. */
  accounts: readonly GenesisAccount[];
  rewards?: boolean;
  globalId?: number;
  /** Unix time of the zero states. */
  time?: number;
  /** Global version. Default: that of this release's executor. */
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
/** The lowest global version of an executor that came with this program. */
const firstVersion = 13;

/** Builds both zero states. */
export function createGenesis(options: GenesisOptions): Genesis {
  const { seed, accounts, rewards = false, globalId = defaultGlobalId, time = zeroStateTime } = options;
  const { version, validators: count = 1, elections } = options;
  const plan = { seed, count, elections };
  const validators = firstValidators(plan);
  const inWorkchain = (workchain: number) =>
    accounts.filter(({ address }) => address.workchain === workchain);
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
  });
  const masterAccounts = shardAccounts(
    [
      ...inWorkchain(masterchain),
      ...stakers,
      ...systemAccounts(config, itemAt(validators, 0).publicKey, elections),
    ],
    time,
  );
  const libraries = publish(Libraries.empty, walletLibrary(), configAddress.hash);
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

/** Zero states that executors of other global versions begin with. */
export function* otherZeroStates(options: GenesisOptions): Generator<Genesis> {
  const { version = shippedVersion } = options;
  for (const { version: other } of versions)
    if (other >= firstVersion && other !== version) yield createGenesis({ ...options, version: other });
}

/** The validators of the zero states. */
export function firstValidators(plan: ValidatorPlan): Validator[] {
  return firstValidatorKeys(plan).map(({ publicKey }) => ({
    publicKey,
    weight: 1n,
    adnlAddress: nodeIdShort(publicKey),
  }));
}

/** A library that a known wallet needs. The configuration contract publishes it. */
function walletLibrary(): Cell {
  return contractCode("wallet v5 beta library");
}

function systemAccounts(
  config: ConfigDictionary,
  publicKey: Uint8Array,
  elections: ElectionPreset | undefined,
): GenesisAccount[] {
  // The data are a step ahead of the configuration, so block 1 is a key block: clients that verify proofs start from one.
  // parameters:^Cell seqno:uint32 publicKey:uint256 proposals:dict
  const parameters = beginCell();
  withPreviousValidators(config).storeDirect(parameters);
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
        libraries: [walletLibrary()],
      },
    },
  ];
}

/** The accounts of one workchain in a zero state of this time. */
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
