import type { Result } from "../../registry-types.js";

/** Methods of the ordinary client that are runs of get-methods. */
export type TvmMethod = "runGetMethod" | "runGetMethodStd" | "getTokenData" | "dnsResolve";

export type AtBlock = {
  /** Masterchain block to read at. Default: the newest one. */
  readonly seqno?: number | string | undefined;
};
export type JettonBalanceParams = AtBlock & { readonly owner: string; readonly jetton: string };
export type NftOwnerParams = AtBlock & { readonly item: string };
export type ResolveDomainParams = AtBlock & {
  /** The whole name, such as `foundation.ton`. */
  readonly name: string;
  /** `wallet`, `site`, `storage`, or a key as a hash. Default: all. */
  readonly category?: string | undefined;
};

/** Answers that the ordinary client has from the index, or by several calls. */
export type TvmReads = {
  /** The owner's balance of a jetton, as the jetton's master names the wallet; `0` without a wallet. */
  getJettonBalance: { params: JettonBalanceParams; result: string };
  /** The owner of an item, which its collection confirms; null without one. */
  getNftOwner: { params: NftOwnerParams; result: string | null };
  /** The records of a name from the network's root of domain names. */
  resolveDomain: { params: ResolveDomainParams; result: Result<"dnsResolve"> };
};
