// _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams;
import type { Cell } from "../cells/cell.js";
import { type Dictionary, intKey } from "../cells/dictionaries/dictionary.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { hashmap } from "./dictionaries.js";
import { bits256, cellRef } from "./primitives.js";
import { record } from "./record.js";

/** Undecoded parameters by number, which may be negative. Decode them with `configParam`. */
export type ConfigDictionary = Dictionary<number, Cell>;
export const ConfigDictionary = hashmap(intKey(32), cellRef);

export type ConfigParams = Decoded<typeof ConfigParams>;
export const ConfigParams = record("ConfigParams", { configAddr: bits256, config: cellOf(ConfigDictionary) });
