import { bytesEqual } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import { CellOf } from "../../tlb/cell-of.js";
import { decode } from "../../tlb/codec.js";
import { type ConfigNumber, configParam, configTypes } from "../../tlb/config/config-param.js";
import { ConfigDictionary, type ConfigParams } from "../../tlb/config-params.js";
import type { ShardAccounts } from "../../tlb/shard-account.js";

/** Parameters without which no block can be made or validated. */
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
  return config.equals(current.config.cell) || isUsable(config, current.config.value) ? config : undefined;
}

/** Whether all mandatory parameters are present and all known ones can be decoded. */
export function isUsable(cell: Cell, current: ConfigDictionary): boolean {
  try {
    const config = decode(ConfigDictionary, cell);
    for (const number of Object.keys(configTypes)) configParam(config, Number(number) as ConfigNumber);
    const mandatory = [config, current].flatMap((one) => [...(configParam(one, 9)?.keys() ?? [])]);
    const validators = configParam(config, 34)?.list.root;
    return validators !== undefined && [...required, ...mandatory].every((number) => config.has(number));
  } catch {
    return false;
  }
}
