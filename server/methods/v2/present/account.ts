import type { z } from "zod";
import type { accountState } from "../../../../shared/schema/v2-accounts.js";
import type { AccountSnapshot } from "../../../chain/read/account.js";
import type { RestrictedWallet, TonlibAccount } from "../../../contracts/recognise/tonlib-account.js";
import { presentBoc, presentHash } from "./records.js";

type State = z.output<typeof accountState>;

/** An account whose code is none that has a form of its own. */
export function presentOtherAccount({ code, data, frozenHash }: AccountSnapshot): State {
  if (!code) return { "@type": "uninited.accountState", frozen_hash: presentHash(frozenHash) };
  return { "@type": "raw.accountState", code: presentBoc(code), data: presentBoc(data), frozen_hash: "" };
}

export function presentKnownAccount(known: Exclude<TonlibAccount, RestrictedWallet>): State {
  if (!("seqno" in known)) return { "@type": `${known.kind}.accountState`, wallet_id: known.walletId };
  return { "@type": `${known.kind}.accountState`, wallet_id: known.walletId, seqno: known.seqno };
}

/** Amounts are numbers on the wire here, whatever they lose by it. */
export function presentRestrictedWallet(wallet: RestrictedWallet, unlocked: bigint): State {
  return {
    "@type": "rwallet.accountState",
    wallet_id: wallet.walletId,
    seqno: wallet.seqno,
    unlocked_balance: Number(unlocked),
    config: {
      "@type": "rwallet.config",
      start_at: wallet.startAt,
      limits: wallet.limits.map(({ seconds, value }) => ({
        "@type": "rwallet.limit",
        seconds,
        value: Number(value),
      })),
    },
  };
}
