import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";

/** A wallet's seqno: the first 32 bits of its data. 0 before it is deployed. */
export function walletSeqno(account: ShardAccount | undefined): number {
  const state = account?.account.value?.storage.state;
  return state?.kind === "active" && state.init.data ? state.init.data.parse().loadUint(32) : 0;
}
