import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { configParam, encodeConfigParam, knownParam } from "../../../shared/ton/tlb/config/config-param.js";
import { SimplexConfig } from "../../../shared/ton/tlb/config/simplex.js";
import { ConfigDictionary, ConfigParams } from "../../../shared/ton/tlb/config-params.js";
import { bytesOfHex } from "../../../shared/values/bytes.js";
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

/** Mainnet's registry of validators, an account of its masterchain that was proposed in September 2026. */
const validatorRegistry = bytesOfHex("9234809b5b02186e833d082b8a3dbb8225b230ba74a9c06ef24cf334c7a01a34");

/**
 * The same with what was proposed in August and September 2026: blocks of 4 MiB, the second protocol of the consensus in both
 * chains, and a registry of validators that is a fundamental contract.
 */
export function proposedConfig(root: Cell): Cell {
  const config = decode(ConfigDictionary, root);
  const { mc, shard } = knownParam(config, 30);
  const second = (settings: typeof mc) => {
    if (settings?.value.kind !== "v2") throw new TypeError("the consensus has other settings");
    return CellOf.of(SimplexConfig, { ...settings.value, protocolVersion: 2 });
  };
  const registry = {
    contractAddress: validatorRegistry,
    maxCollatorsPerValidator: 4,
    newCodeHash: undefined,
  };
  return encode(
    ConfigDictionary,
    config.update([
      [29, encodeConfigParam(29, { ...knownParam(config, 29), maxBlockBytes: 4 << 20 })],
      [30, encodeConfigParam(30, { mc: second(mc), shard: second(shard) })],
      [31, encodeConfigParam(31, knownParam(config, 31).set(validatorRegistry, true))],
      [46, encodeConfigParam(46, registry)],
    ]),
  );
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
