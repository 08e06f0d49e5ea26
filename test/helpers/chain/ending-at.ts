import { once } from "node:events";
import { type LiteApi, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { invokerOf, liteApiFrom } from "../../../shared/ton/lite/lite-methods.js";
import { liteMethods } from "../../../shared/ton/tl/lite-functions.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";

/** A chain that ends with one of its blocks: later ones are waited for in vain. */
export function endingAt(chain: LiteApi, newest: number): LiteApi {
  const invoke = invokerOf(chain);
  return liteApiFrom(liteMethods, async (method, request, call) => {
    if (method !== "getMasterchainInfo") return invoke(method, request, call);
    if ((call?.waitSeqno ?? 0) > newest) {
      if (!call!.signal!.aborted) await once(call!.signal!, "abort");
      throw new LiteError(liteErrorCode.cancelled, "cancelled");
    }
    const id = { workchain: masterchain, shard: wholeShard, seqno: newest };
    const { id: last } = await chain.lookupBlock({ id, bySeqno: true });
    return { ...(await chain.getMasterchainInfo({})), last };
  });
}
