import { once } from "node:events";
import { type LiteApi, type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";

/** A recorded chain that ends with one of its blocks: later ones are waited for in vain. */
export function endingAt(recorded: LiteApi, newest: number): LiteApi {
  return {
    ...recorded,
    async getMasterchainInfo(request: object, { waitSeqno = 0, signal }: LiteCall = {}) {
      if (waitSeqno > newest) {
        if (!signal!.aborted) await once(signal!, "abort");
        throw new LiteError(liteErrorCode.cancelled, "cancelled");
      }
      const id = { workchain: masterchain, shard: wholeShard, seqno: newest };
      const { id: last } = await recorded.lookupBlock({ id, bySeqno: true });
      return { ...(await recorded.getMasterchainInfo(request)), last };
    },
  };
}
