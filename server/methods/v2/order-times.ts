import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { AccountSnapshot } from "../../chain/read/account.js";
import { readableWallet, readWalletRequest } from "../../contracts/wallet-request.js";

/** Unix time of the next block, if this process makes blocks. */
export type BlockTime = () => Promise<number>;

/**
 * The times of an expired wallet order, for the data of its refusal: wallets stamp orders with the clock of their
 * computer.
 */
export async function timesOfExpired(
  { code, syncUtime }: AccountSnapshot,
  order: Cell,
  blockTime: BlockTime | undefined,
): Promise<object> {
  const wallet = code && readableWallet(bytesToBase64(code.hash()));
  const expiry = wallet === undefined ? undefined : readWalletRequest(wallet, order)?.validUntil;
  if (expiry === undefined) return {};
  const now = blockTime ? await blockTime() : syncUtime;
  return now === undefined || expiry > now ? {} : { valid_until: expiry, chain_time: now };
}
