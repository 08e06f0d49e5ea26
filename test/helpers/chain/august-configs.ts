import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { configParam, encodeConfigParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary, ConfigParams } from "../../../shared/ton/tlb/config-params.js";
import type { DevnetService } from "../services/devnet-service.js";
import type { ChainData } from "../test-data.js";
import { currentConfig } from "./current-config.js";

/** Parameters that belong to the chain itself. */
const ownParams = [0, 1, 12, 31, 32, 33, 34, 35, 36, 37];

/** The newest configuration of a network among the recorded ones, as the root of its dictionary. */
export function augustConfig(chain: ChainData, network: string): Cell {
  const roots = chain
    .where({ kind: "config_dictionary", network })
    .map((entry) => decode(ConfigParams, parseBocRoot(entry.read())).config.cell);
  return roots.find((root) => versionOf(root) === 15)!;
}

/** The parameters of a network, except those that a devnet needs for itself. */
export async function adopted(service: DevnetService, real: Cell): Promise<Cell> {
  const own = decode(ConfigDictionary, await currentConfig(service));
  return encode(
    ConfigDictionary,
    decode(ConfigDictionary, real).update(ownParams.map((number) => [number, own.get(number)] as const)),
  );
}

export function withParam(root: Cell, number: number, value: Cell | undefined): Cell {
  return encode(ConfigDictionary, decode(ConfigDictionary, root).update([[number, value]]));
}

export function paramOf(root: Cell, number: number): Cell {
  return decode(ConfigDictionary, root).get(number)!;
}

export function withVersion(root: Cell, version: number): Cell {
  const { capabilities } = configParam(decode(ConfigDictionary, root), 8)!;
  return withParam(root, 8, encodeConfigParam(8, { version, capabilities }));
}

function versionOf(root: Cell): number | undefined {
  return configParam(decode(ConfigDictionary, root), 8)?.version;
}
