import { masterchain, wholeShard } from "../../tlb/block-id.js";
import { type LiteApi, type LiteCall, LiteError } from "../lite-api.js";
import { failureKind } from "./failure-kind.js";

/** The first masterchain block from which on a server has them all, found by halves; 1 is a whole archive. */
export async function findOldestBlock(
  api: Pick<LiteApi, "lookupBlock">,
  head: number,
  call: () => LiteCall,
): Promise<number> {
  if (await hasBlock(api, 1, call())) return 1;
  let [missing, present] = [1, head];
  while (present - missing > 1) {
    const middle = missing + Math.floor((present - missing) / 2);
    if (await hasBlock(api, middle, call())) present = middle;
    else missing = middle;
  }
  return present;
}

async function hasBlock(api: Pick<LiteApi, "lookupBlock">, seqno: number, call: LiteCall): Promise<boolean> {
  try {
    await api.lookupBlock({ id: { workchain: masterchain, shard: wholeShard, seqno }, bySeqno: true }, call);
    return true;
  } catch (error) {
    if (error instanceof LiteError && failureKind(error) === "missing") return false;
    throw error;
  }
}
