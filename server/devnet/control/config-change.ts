import type { Cell } from "../../../shared/ton/cells/cell.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { whyUnusable } from "../collate/masterchain/next-config.js";
import { unusableConfig } from "../collate/trial-step.js";
import { DevnetError } from "../devnet-error.js";
import { cellOf } from "./cell-input.js";

/** One parameter, removed if it has no value, or the root of the whole dictionary. Bags of cells. */
export type ConfigChange = { param: number; value?: Uint8Array } | { config: Uint8Array };

/** Applies a developer's change to a configuration. Throws `DevnetError` if the result is no configuration. */
export function changedConfig(change: ConfigChange): (config: ConfigDictionary) => ConfigDictionary {
  const changed = "config" in change ? replacing(change.config) : changingOne(change);
  return (config) => {
    const next = changed(config);
    const reason = whyUnusable(encode(ConfigDictionary, next), config);
    if (reason !== undefined) throw unusableConfig(reason);
    return next;
  };
}

function changingOne({ param, value }: Extract<ConfigChange, { param: number }>) {
  const cell = value && cellOf("value", value);
  return (config: ConfigDictionary) => {
    if (!cell && !config.has(param))
      throw new DevnetError("not-found", `the configuration has no parameter ${param}`);
    return cell ? config.set(param, cell) : config.delete(param);
  };
}

function replacing(boc: Uint8Array) {
  const config = dictionaryIn(cellOf("config", boc));
  return () => config;
}

function dictionaryIn(cell: Cell): ConfigDictionary {
  const config = ifReadable(() => decode(ConfigDictionary, cell));
  if (config) return config;
  throw new DevnetError("invalid", "config is not a dictionary of parameters");
}
