import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { decode, TlbError } from "../../../../shared/ton/tlb/codec.js";
import {
  type ConfigNumber,
  configParam,
  configType,
  configTypes,
  knownParam,
} from "../../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary, type ConfigParams } from "../../../../shared/ton/tlb/config-params.js";
import { readWhole } from "../../../../shared/ton/tlb/read-whole.js";
import type { ShardAccounts } from "../../../../shared/ton/tlb/shard-account.js";
import { bytesEqual } from "../../../../shared/values/bytes.js";

/** Parameters required to make and validate blocks. */
const required = [0, 1, 8, 12, 14, 18, 20, 21, 24, 25, 28, 31, 34];

/**
 * The configuration after a masterchain block, read from the data of the configuration contract. `undefined` if it is
 * unchanged or invalid. A block that changes the configuration is a key block.
 */
export function nextConfig(accounts: ShardAccounts, current: ConfigParams): ConfigParams | undefined {
  const moved = movedConfig(accounts, current);
  if (moved) return moved;
  const config = usableConfig(accounts, current.configAddr, current);
  if (!config || config.equals(current.config.cell)) return undefined;
  return { configAddr: current.configAddr, config: CellOf.in(ConfigDictionary, config) };
}

/** Parameter 0 may name another contract as the configuration contract, if its data contain a configuration. */
function movedConfig(accounts: ShardAccounts, current: ConfigParams): ConfigParams | undefined {
  const stored = usableConfig(accounts, current.configAddr, current);
  const address = stored && configParam(decode(ConfigDictionary, stored), 0);
  if (!address || bytesEqual(address, current.configAddr)) return undefined;
  const config = usableConfig(accounts, address, current);
  return config && { configAddr: address, config: CellOf.in(ConfigDictionary, config) };
}

function usableConfig(accounts: ShardAccounts, id: Uint8Array, current: ConfigParams): Cell | undefined {
  const state = accounts.get(id)?.account.value?.storage.state;
  const data = state?.kind === "active" ? state.init.data : undefined;
  if (!data || data.exotic || data.refCount === 0) return undefined;
  const config = data.ref(0);
  if (config.equals(current.config.cell)) return config;
  return whyUnusable(config, current.config.value) === undefined ? config : undefined;
}

/**
 * The reason why a configuration cannot follow the current one; undefined if it can. Parameters of known types must
 * have the right form.
 */
export function whyUnusable(cell: Cell, current: ConfigDictionary): string | undefined {
  try {
    const config = decode(ConfigDictionary, cell);
    for (const number of Object.keys(configTypes)) checkType(config, Number(number) as ConfigNumber);
    const mandatory = [config, current].flatMap((one) => [...(configParam(one, 9)?.keys() ?? [])]);
    const missing = [...required, ...mandatory].find((number) => !config.has(number));
    if (missing !== undefined) return `parameter ${missing} is required`;
    return knownParam(config, 34).list.root ? undefined : "parameter 34 has no validators";
  } catch (cause) {
    return messageOf(cause);
  }
}

function checkType(config: ConfigDictionary, number: ConfigNumber): void {
  const slice = config.get(number)?.parse();
  if (!slice) return;
  try {
    readWhole(configType(number).load(slice));
    slice.end();
  } catch (cause) {
    throw new TlbError(`parameter ${number}: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
