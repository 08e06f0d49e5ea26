import type { configMethods } from "../../../shared/methods/v2/config.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { LiteCall } from "../../chain/lite-api.js";
import type { ChainReader } from "../../chain/read/reader.js";
import { explainingLiteErrors } from "./lite-errors.js";
import { presentBoc, presentCell } from "./present/records.js";

export type ConfigDeps = { reader: Pick<ChainReader, "blockAt" | "config" | "libraries"> };

export const configHandlers = explainingLiteErrors<typeof configMethods, ConfigDeps>({
  async getConfigParam({ param, config_id, seqno }, { reader }, call) {
    const { params } = await configAt(seqno, reader, call);
    return presentConfig(params.get((config_id ?? param)!));
  },

  async getConfigAll({ seqno }, { reader }, call) {
    return presentConfig((await configAt(seqno, reader, call)).root);
  },

  async getLibraries({ libraries }, { reader }, call) {
    const found = await reader.libraries(libraries, call);
    return {
      "@type": "smc.libraryResult",
      result: found.map(({ hash, cell }) => ({
        "@type": "smc.libraryEntry",
        hash: bytesToBase64(hash),
        data: presentBoc(cell),
      })),
    };
  },
});

async function configAt(seqno: number | undefined, reader: ConfigDeps["reader"], call: LiteCall) {
  return reader.config(await reader.blockAt(seqno, call));
}

function presentConfig(cell: Cell | undefined) {
  return { "@type": "configInfo" as const, config: presentCell(cell) };
}
