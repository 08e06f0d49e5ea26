import type { Handlers } from "../../../shared/methods/define.js";
import type { configMethods } from "../../../shared/methods/v2/config.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { presentConfig, presentLibraries } from "../../../shared/ton/present/config.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";

export type ConfigDeps = { reader: Pick<ChainReader, "blockAt" | "config" | "libraries"> };

export const configHandlers: Handlers<typeof configMethods, ConfigDeps> = {
  async getConfigParam({ param, config_id, seqno }, { reader }, call) {
    const { params } = await configAt(seqno, reader, call);
    return presentConfig(params.get((config_id ?? param)!));
  },

  async getConfigAll({ seqno }, { reader }, call) {
    return presentConfig((await configAt(seqno, reader, call)).root);
  },

  async getLibraries({ libraries }, { reader }, call) {
    return presentLibraries(await reader.libraries(libraries, call));
  },
};

async function configAt(seqno: number | undefined, reader: ConfigDeps["reader"], call: LiteCall) {
  return reader.config(await reader.blockAt(seqno, call));
}
