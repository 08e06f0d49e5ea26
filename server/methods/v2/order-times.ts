import type { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { LiteCall } from "../../chain/lite-api.js";
import type { ChainReader } from "../../chain/read/reader.js";
import { interfacesOf } from "../../contracts/recognise/interfaces.js";
import { hasReadableRequests, readWalletRequest } from "../../contracts/wallet-request.js";
import { ServiceError } from "../../errors.js";
import type { Message } from "../../tlb/message.js";
import { accountOf } from "../../tlb/msg-address.js";

export type TimeDeps = {
  reader: Pick<ChainReader, "last" | "account">;
  /** Unix time of the next block. Default: that of the last one. */
  blockTime?: (() => Promise<number>) | undefined;
};

/**
 * A refusal, with both times in its data if the order of a wallet had expired: wallets stamp orders with the clock of their
 * computer. The times only improve the explanation, so errors are ignored.
 */
export async function withOrderTimes(
  refusal: unknown,
  { info, body }: Message,
  deps: TimeDeps,
  call: LiteCall,
): Promise<unknown> {
  if (!(refusal instanceof ServiceError) || refusal.data["exit_code"] === undefined) return refusal;
  const to = info.kind === "externalIn" ? accountOf(info.dest) : undefined;
  const known = to && (await chainAt(to, deps, call).catch(() => undefined));
  const expiry = known?.wallet === undefined ? undefined : readWalletRequest(known.wallet, body)?.validUntil;
  if (!known || expiry === undefined || expiry > known.now) return refusal;
  const data = { ...refusal.data, valid_until: expiry, chain_time: known.now };
  return new ServiceError(refusal.code, refusal.message, { data, cause: refusal.cause });
}

/** The chain's time, and the interface of the wallet at an address. */
async function chainAt(address: Address, { reader, blockTime }: TimeDeps, call: LiteCall) {
  const { code, syncUtime } = await reader.account(reader.last, address, call);
  const wallet = code && interfacesOf(bytesToBase64(code.hash()), null).find(hasReadableRequests);
  return { wallet, now: (await blockTime?.()) ?? syncUtime };
}
