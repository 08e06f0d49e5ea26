import { openTrust, type TrustFolder } from "../../../server/chain/networks/open-trust.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { TrustChain } from "../../../shared/ton/proofs/verify/trust/trust-chain.js";
import { verifyingLiteApi } from "../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { type BlockIdExt, wholeShard } from "../../../shared/ton/tlb/block-id.js";

export const silent = { info() {}, warn() {} };

/** The zero state a server names; in tests it is believed. */
export async function zeroStateOf(lite: LiteApi): Promise<BlockIdExt> {
  return { ...(await lite.getMasterchainInfo()).init, shard: wholeShard, seqno: 0 };
}

/** Trust in nothing but the zero state of a chain. */
export async function trustFromZero(lite: LiteApi, more: Partial<TrustFolder> = {}): Promise<TrustChain> {
  const zeroState = await zeroStateOf(lite);
  return openTrust({
    network: "test",
    zeroState,
    start: zeroState,
    log: silent,
    now: () => 1_600_000_000,
    ...more,
  });
}

export async function verified(lite: LiteApi, start?: BlockIdExt): Promise<LiteApi> {
  return verifyingLiteApi(lite, await trustFromZero(lite, start && { start }));
}
