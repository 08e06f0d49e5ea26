import { masterchain, wholeShard } from "../../tlb/block-id.js";
import { type LiteApi, type LiteCall, LiteError } from "../lite-api.js";
import { failureKind } from "./failure-kind.js";

/** Finds the oldest masterchain block of a server by binary search; 1 is a full archive. `call` makes each deadline. */
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
