import type { Cell } from "../../../shared/ton/cells/cell.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam, encodeConfigParam } from "../../../shared/ton/tlb/config/config-param.js";
import type { ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { type CurrencyCollection, noCurrencies } from "../../../shared/ton/tlb/currency-collection.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { Libraries } from "../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { publicLibraries, publish } from "../collate/masterchain/public-libraries.js";
import { Rules } from "../collate/rules.js";
import { configEdit } from "../genesis/account-edits.js";
import { firstValidators, type Genesis, shardAccounts } from "../genesis/genesis.js";
import { validatorSet, withPreviousValidators } from "../genesis/initial-config.js";
import { masterZeroState, zeroState } from "../genesis/zero-states.js";
import type { GenesisAccount } from "../wallets/devnet-wallets.js";
import { contractCells, fetchLibraries, referencesOf } from "./fetch-account.js";
import { type ForkOrigin, type ForkStart, OriginError } from "./origin.js";

type ForkGenesisOptions = {
  seed: string;
  /** The devnet's own accounts: the faucet and the test wallets. */
  accounts: readonly GenesisAccount[];
  validators?: number;
};

/** The validator sets of a network, which a fork replaces by its own. */
const validatorParams = [32, 33, 34, 35, 36, 37];

/**
 * The zero states of a fork: the configuration of the origin, the contracts that the configuration names, and the
 * devnet's own validators and wallets. Other accounts are imported when a message or an edit reaches them.
 * Deterministic for equal options, start and seed.
 */
export async function createForkGenesis(
  origin: ForkOrigin,
  { seed, accounts, validators: count = 1 }: ForkGenesisOptions,
): Promise<Genesis> {
  const { start } = origin;
  const { globalId, utime: time, lt } = start;
  const plan = { seed, count };
  const validators = firstValidators(plan);
  const system = await systemContracts(origin, validatorSet({ time, validators }));
  const { config, configAddr } = system;
  const inWorkchain = (workchain: number) =>
    accounts.filter(({ address }) => address.workchain === workchain);
  const common = { globalId, time, lt };
  const basechain = zeroState({
    ...common,
    workchain: 0,
    accounts: shardAccounts(inWorkchain(0), time),
  });
  const master = masterZeroState({
    ...common,
    accounts: shardAccounts(inWorkchain(masterchain), time).update(
      system.accounts.map(({ id, account }) => [id, account]),
    ),
    libraries: system.libraries.reduce(
      (published, root) => publish(published, root, configAddr),
      Libraries.empty,
    ),
    config: { configAddr, config: CellOf.of(ConfigDictionary, config) },
    validators,
    basechain,
    elsewhere: mintedBefore(config),
  });
  const fork = { source: start.source, seqno: start.block.seqno };
  return { seed, globalId, fork, validators: plan, masterchain: master, basechain };
}

type SystemContracts = {
  /** The configuration of the origin, with this validator set. */
  config: ConfigDictionary;
  configAddr: Uint8Array;
  /** The data of the configuration contract are a step ahead, so that the next block is a key block. */
  accounts: SystemAccount[];
  libraries: Cell[];
};

/** The configuration of an origin, and the contracts that it names. Throws `OriginError` if it cannot be forked. */
export async function systemContracts(origin: ForkOrigin, set: ValidatorSet): Promise<SystemContracts> {
  const { start } = origin;
  const config = decode(ConfigDictionary, start.config).update([
    ...validatorParams.map((number): [number, undefined] => [number, undefined]),
    [34, encodeConfigParam(34, set)],
  ]);
  const configAddr = configParam(config, 0);
  if (!configAddr) throw unusable(start, "names no configuration contract");
  const accounts = await systemAccounts(origin, new Rules(config, configAddr));
  const stored = accounts.find(({ id }) => bytesEqual(id, configAddr));
  if (!stored) throw unusable(start, "names a contract that does not exist");
  const contract = new Address(masterchain, configAddr);
  stored.account = configEdit(() => withPreviousValidators(config), contract).change(
    stored.account,
    start.utime,
  );
  return { config, configAddr, accounts, libraries: await librariesOf(origin, accounts) };
}

type SystemAccount = { id: Uint8Array; account: ShardAccount };

/** The contracts that blocks need: those with ticks and tocks, and receivers of fees and minted money. */
async function systemAccounts(origin: ForkOrigin, rules: Rules): Promise<SystemAccount[]> {
  const receivers = [rules.feeCollector, rules.minter].flatMap((address) => address?.hash ?? []);
  const ids = new Map([...rules.specialAccounts, ...receivers].map((id) => [rawOf(id), id]));
  const found = await Promise.all(
    Array.from(ids.values(), async (id) => ({
      id,
      account: await origin.account(new Address(masterchain, id)),
    })),
  );
  return found.flatMap(({ id, account }) => (account?.account.value ? [{ id, account }] : []));
}

async function librariesOf(origin: ForkOrigin, system: readonly SystemAccount[]): Promise<Cell[]> {
  const libraries = new Map<string, Cell>();
  for (const { account } of system) {
    const needed = await fetchLibraries(origin, referencesOf(contractCells(account)), () => false);
    for (const root of [...publicLibraries(account).values(), ...needed.found])
      libraries.set(root.hashHex(), root);
  }
  return [...libraries.values()];
}

/** Extra currencies that the origin has minted already. */
function mintedBefore(config: ConfigDictionary): CurrencyCollection {
  return { ...noCurrencies, extra: configParam(config, 7) ?? noCurrencies.extra };
}

function rawOf(id: Uint8Array): string {
  return new Address(masterchain, id).toRaw();
}

function unusable({ source, block }: ForkStart, reason: string): OriginError {
  return new OriginError(
    "missing",
    `${source} cannot be forked at block ${block.seqno}: its configuration ${reason}`,
  );
}
