import type { z } from "zod";
import type { accountStateFull, walletState } from "../../../shared/schema/v3/accounts.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { readWallet, type Wallet } from "../../../shared/ton/contracts/wallet.js";
import { bytesOfBase64 } from "../../../shared/values/bytes.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import type { AccountRow } from "../../store/queries/accounts/accounts.js";

/** A state as `accountStates` has it. Code and data are left out where they were not read. */
export function presentAccountState(row: AccountRow): z.output<typeof accountStateFull> {
  return {
    address: row.address,
    account_state_hash: row.hash,
    balance: row.balance,
    extra_currencies: row.extra_currencies,
    status: row.status,
    ...(row.frozen_hash !== null && { frozen_hash: row.frozen_hash }),
    last_transaction_hash: row.last_transaction_hash,
    last_transaction_lt: row.last_transaction_lt,
    ...(row.data_hash !== null && { data_hash: row.data_hash }),
    ...(row.code_hash !== null && { code_hash: row.code_hash }),
    ...(row.data_boc !== null && { data_boc: row.data_boc }),
    ...(row.code_boc !== null && { code_boc: row.code_boc }),
    contract_methods: row.contract_methods,
    interfaces: interfacesOf(row.code_hash, row.contract_methods),
  };
}

/** A state as `walletStates` has it: members of wallets only where the code is that of a wallet. */
export function presentWalletState(row: AccountRow): z.output<typeof walletState> {
  const wallet = walletOf(row);
  const hasExtra = Object.keys(row.extra_currencies).length > 0;
  return {
    address: row.address,
    is_wallet: wallet !== undefined,
    ...(wallet && walletMembers(wallet)),
    balance: row.balance,
    ...(hasExtra && { extra_currencies: row.extra_currencies }),
    ...(wallet?.isSignatureAllowed !== undefined && { is_signature_allowed: wallet.isSignatureAllowed }),
    status: row.status,
    ...(row.code_hash !== null && { code_hash: row.code_hash }),
    last_transaction_hash: row.last_transaction_hash,
    last_transaction_lt: row.last_transaction_lt,
  };
}

/** The account's wallet type and state, from its code and data. */
export function walletOf({ code_hash, data_boc }: AccountRow): Wallet | undefined {
  if (code_hash === null || data_boc === null) return undefined;
  return readWallet(code_hash, () => parseBocRoot(bytesOfBase64(data_boc)));
}

/** Type, seqno and, for kinds with ids, the wallet id. */
export function walletMembers({ type, seqno, walletId }: Wallet) {
  return { wallet_type: type, seqno, ...(walletId !== undefined && { wallet_id: walletId }) };
}
