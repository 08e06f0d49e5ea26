import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import {
  type ConfigNumber,
  type ConfigValue,
  configParam,
} from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import type { DevnetService } from "../services/devnet-service.js";

/** The configuration of a service's chain, as the root of its dictionary. */
export async function currentConfig(service: Pick<DevnetService, "run">): Promise<Cell> {
  const { config } = await service.run<{ config: { bytes: string } }>("getConfigAll");
  return parseBocRoot(Buffer.from(config.bytes, "base64"));
}

export async function currentParam<N extends ConfigNumber>(
  service: Pick<DevnetService, "run">,
  number: N,
): Promise<ConfigValue<N>> {
  return configParam(decode(ConfigDictionary, await currentConfig(service)), number)!;
}
