import type { Cell } from "../../cells/cell.js";
import { decode, encode } from "../../tlb/codec.js";
import { ConfigDictionary } from "../../tlb/config-params.js";
import { isUsable } from "../collate/next-config.js";
import { DevnetError } from "../devnet-error.js";
import { cellOf } from "./cell-input.js";

/** One parameter, removed if it has no value, or the root of the dictionary of all. Bags of cells. */
export type ConfigChange = { param: number; value?: Uint8Array } | { config: Uint8Array };

/** The change of a configuration that a developer asks for. It throws `DevnetError` if no block could be made with it. */
export function changedConfig(change: ConfigChange): (config: ConfigDictionary) => ConfigDictionary {
  const changed = "config" in change ? replacing(change.config) : changingOne(change);
  return (config) => {
    const next = changed(config);
    if (!isUsable(encode(ConfigDictionary, next), config))
      throw new DevnetError("invalid", `no block can be made with ${describe(change)}`);
    return next;
  };
}

function describe(change: ConfigChange): string {
  if ("config" in change) return "this configuration: a required parameter is missing or none of its kind";
  if (change.value) return `this value of parameter ${change.param}: it is none of its kind`;
  return `no parameter ${change.param}: it is required`;
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
  try {
    return decode(ConfigDictionary, cell);
  } catch {
    throw new DevnetError("invalid", "config is not a dictionary of parameters");
  }
}
