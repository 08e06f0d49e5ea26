import type { z } from "zod";
import type { accountState } from "../../../shared/schema/v2-accounts.js";
import type { AccountSnapshot } from "../../chain/read/account.js";
import { recognizeTonlibAccount, type TonlibAccount } from "../../contracts/tonlib-account.js";
import { presentBoc, presentHash } from "./records.js";

export type PresentedState = { state: z.output<typeof accountState>; revision: number };

/** The account by what its code is, and which revision of it. */
export function presentAccountState({ code, data, frozenHash }: AccountSnapshot): PresentedState {
  if (!code)
    return { state: { "@type": "uninited.accountState", frozen_hash: presentHash(frozenHash) }, revision: 0 };
  const known = data && recognizeTonlibAccount(code, data);
  if (known) return { state: stateOf(known), revision: known.revision };
  const state = { code: presentBoc(code), data: presentBoc(data), frozen_hash: "" };
  return { state: { "@type": "raw.accountState", ...state }, revision: 0 };
}

function stateOf(known: TonlibAccount): z.output<typeof accountState> {
  if (!("seqno" in known)) return { "@type": `${known.kind}.accountState`, wallet_id: known.walletId };
  return { "@type": `${known.kind}.accountState`, wallet_id: known.walletId, seqno: known.seqno };
}
