import type { Handlers } from "../../../shared/methods/define.js";
import type { supplyMethods } from "../../../shared/methods/v3/supply.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { isNotFound } from "../../../shared/ton/lite/not-found.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { ServiceError } from "../../errors.js";

export type SupplyDeps = { reader: Pick<ChainReader, "blockAt" | "supply"> };

export const supplyHandlers: Handlers<typeof supplyMethods, SupplyDeps> = {
  async supply({ seqno }, { reader }, call) {
    try {
      const block = await reader.blockAt(seqno, call);
      return { mc_seqno: block.seqno, total: String(await reader.supply(block, call)) };
    } catch (error) {
      if (error instanceof LiteError && isNotFound(error))
        throw new ServiceError("absent", "block not found", { cause: error });
      throw error;
    }
  },
};
