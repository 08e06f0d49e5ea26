import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { DevnetError } from "../devnet-error.js";

/** A wallet's seqno: the first 32 bits of its data. 0 before it is deployed; `undefined` if a developer has replaced its data by less. */
export function walletSeqno(account: ShardAccount | undefined): number | undefined {
  const state = account?.account.value?.storage.state;
  const data = state?.kind === "active" ? state.init.data : undefined;
  return data ? ifReadable(() => data.parse().loadUint(32)) : 0;
}

/** The seqno of a wallet that somebody asks to send money. */
export function requiredSeqno(account: ShardAccount | undefined): number {
  const seqno = walletSeqno(account);
  if (seqno === undefined)
    throw new DevnetError("conflict", "the devnet's wallet cannot send: its data have no seqno any more");
  return seqno;
}
