import type { z } from "zod";
import type { ResultOf } from "../../../shared/methods/define.js";
import type { accountMethods } from "../../../shared/methods/v2/accounts.js";
import type { accountState } from "../../../shared/schema/v2-accounts.js";
import {
  presentAddress,
  presentBlockId,
  presentExtraCurrencies,
  presentHash,
  presentTransactionId,
} from "../../../shared/ton/present/records.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ParsedAddress } from "../../../shared/values/address.js";
import type { RestrictedWallet, TonlibAccount } from "../../contracts/recognise/tonlib-account.js";
import type { Wallet } from "../../contracts/recognise/wallet.js";
import { presentStateBoc } from "./state-boc.js";

type Result<Name extends keyof typeof accountMethods> = ResultOf<(typeof accountMethods)[Name]>;
type State = z.output<typeof accountState>;

/** `written` is the address in the caller's form, repeated in the answer. */
export function presentExtendedInformation(
  written: ParsedAddress,
  account: AccountSnapshot,
  { state, revision }: { state: State; revision: number },
): Result<"getExtendedAddressInformation"> {
  return {
    "@type": "fullAccountState",
    address: presentAddress(written.address.toFriendly(written)),
    balance: account.balance.toString(),
    extra_currencies: presentExtraCurrencies(account.extraCurrencies),
    last_transaction_id: presentTransactionId(account.lastTransaction),
    block_id: presentBlockId(account.block),
    sync_utime: account.syncUtime,
    account_state: state,
    revision,
  };
}

export function presentWalletInformation(
  account: AccountSnapshot,
  wallet: Wallet | undefined,
): Result<"getWalletInformation"> {
  return {
    "@type": "ext.accounts.walletInformation",
    wallet: wallet !== undefined,
    balance: account.balance.toString(),
    extra_currencies: presentExtraCurrencies(account.extraCurrencies),
    account_state: account.status,
    last_transaction_id: presentTransactionId(account.lastTransaction),
    ...(wallet && {
      wallet_type: wallet.type,
      seqno: wallet.seqno,
      wallet_id: wallet.walletId,
      is_signature_allowed: wallet.isSignatureAllowed,
    }),
  };
}

/** An account whose code is unknown to tonlib, or that has no code. */
export function presentOtherAccount({ code, data, frozenHash }: AccountSnapshot): State {
  if (!code) return { "@type": "uninited.accountState", frozen_hash: presentHash(frozenHash) };
  return {
    "@type": "raw.accountState",
    code: presentStateBoc(code),
    data: presentStateBoc(data),
    frozen_hash: "",
  };
}

type Wallets = Exclude<TonlibAccount, RestrictedWallet | { kind: "pchan" }>;

export function presentKnownAccount(known: Wallets): State {
  if (!("seqno" in known)) return { "@type": `${known.kind}.accountState`, wallet_id: known.walletId };
  return { "@type": `${known.kind}.accountState`, wallet_id: known.walletId, seqno: known.seqno };
}

/** Amounts are JSON numbers here, as in tonlib; above 2^53 they lose precision. */
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
