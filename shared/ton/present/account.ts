import type { z } from "zod";
import type { ResultOf } from "../../methods/define.js";
import type { accountMethods } from "../../methods/v2/accounts.js";
import type { accountState } from "../../schema/v2/accounts.js";
import type { ParsedAddress } from "../../values/address.js";
import type { Cell } from "../cells/cell.js";
import {
  type RestrictedWallet,
  recognizeTonlibAccount,
  type TonlibAccount,
} from "../contracts/tonlib-account.js";
import type { Wallet } from "../contracts/wallet.js";
import type { AccountSnapshot } from "../proofs/read/account.js";
import { presentPaymentChannel } from "./payment-channel.js";
import {
  presentAddress,
  presentBlockId,
  presentExtraCurrencies,
  presentHash,
  presentTransactionId,
} from "./records.js";

type Result<Name extends keyof typeof accountMethods> = ResultOf<(typeof accountMethods)[Name]>;
type State = z.output<typeof accountState>;
/** The account state by contract type, and the revision of the code; 0 if tonlib does not know the code. */
type KnownState = { state: State; revision: number };
/** Text of code and data. */
type StateBoc = (cell: Cell | undefined) => string;

/** `written` is the address in the caller's form, repeated in the answer. */
export function presentExtendedInformation(
  written: ParsedAddress,
  account: AccountSnapshot,
  { state, revision }: KnownState,
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

/** `unlocked`: reads what the owner of a restricted wallet can spend now; undefined if its get-method `balance` fails. */
export async function presentAccountState(
  account: AccountSnapshot,
  { stateBoc, unlocked }: { stateBoc: StateBoc; unlocked(): Promise<bigint | undefined> },
): Promise<KnownState> {
  const { code, data } = account;
  const known = code && data && recognizeTonlibAccount(code, data);
  const other = () => ({ state: presentOtherAccount(account, stateBoc), revision: 0 });
  if (!known) return other();
  const { revision } = known;
  if (known.kind === "pchan") return { state: presentPaymentChannel(known.channel), revision };
  if (known.kind !== "rwallet") return { state: presentKnownAccount(known), revision };
  const amount = await unlocked();
  return amount === undefined ? other() : { state: presentRestrictedWallet(known, amount), revision };
}

/** An account whose code is unknown to tonlib, or that has no code. */
function presentOtherAccount({ code, data, frozenHash }: AccountSnapshot, stateBoc: StateBoc): State {
  if (!code) return { "@type": "uninited.accountState", frozen_hash: presentHash(frozenHash) };
  return {
    "@type": "raw.accountState",
    code: stateBoc(code),
    data: stateBoc(data),
    frozen_hash: "",
  };
}

type Wallets = Exclude<TonlibAccount, RestrictedWallet | { kind: "pchan" }>;

function presentKnownAccount(known: Wallets): State {
  if (!("seqno" in known)) return { "@type": `${known.kind}.accountState`, wallet_id: known.walletId };
  return { "@type": `${known.kind}.accountState`, wallet_id: known.walletId, seqno: known.seqno };
}

/** Amounts are JSON numbers here, as in tonlib; above 2^53 they lose precision. */
function presentRestrictedWallet(wallet: RestrictedWallet, unlocked: bigint): State {
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
