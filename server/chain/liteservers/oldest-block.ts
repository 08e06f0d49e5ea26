import { type LiteApi, type LiteCall, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { failureKind } from "./failure-kind.js";

/** Finds the oldest masterchain block of a server by binary search; 1 is a full archive. `call` makes each deadline. */
export function findOldestBlock(
  api: Pick<LiteApi, "lookupBlock">,
  head: number,
  call: () => LiteCall,
): Promise<number> {
  return findOldest(head, async (seqno) => {
    const id = { workchain: masterchain, shard: wholeShard, seqno };
    await api.lookupBlock({ id, bySeqno: true }, call());
  });
}

/** Finds the oldest masterchain block for which `read` does not fail for missing data. The newest one has them. */
export async function findOldest(head: number, read: (seqno: number) => Promise<unknown>): Promise<number> {
  if (await isPresent(1, read)) return 1;
  let [missing, present] = [1, head];
  while (present - missing > 1) {
    const middle = missing + Math.floor((present - missing) / 2);
    if (await isPresent(middle, read)) present = middle;
    else missing = middle;
  }
  return present;
}

async function isPresent(seqno: number, read: (seqno: number) => Promise<unknown>): Promise<boolean> {
  try {
    await read(seqno);
    return true;
  } catch (error) {
    if (error instanceof LiteError && failureKind(error) === "missing") return false;
    throw error;
  }
}
