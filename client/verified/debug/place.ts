import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { RpcError } from "../../errors.js";
import { read, recordIn, uint64In } from "../check/claimed.js";
import { addressOf, hashOf, maybeInteger } from "../inputs.js";
import type { AskClaim } from "../proven-ask.js";
import type { DebugTransactionParams } from "./types.js";

/** A transaction by its account and logical time. `hash`: the one that it must have. `isClaimed`: a service named the place. */
export type AskedPlace = { address: Address; lt: bigint; hash: Uint8Array | undefined; isClaimed: boolean };

/** The place of a transaction: the caller names it, or a service names it for a hash, which the block must then have there. */
export async function placeOf(
  { hash: hashText, account, lt: ltText }: DebugTransactionParams,
  claims: AskClaim,
  call: LiteCall,
): Promise<AskedPlace> {
  const hash = hashText === undefined ? undefined : hashOf(hashText);
  const lt = maybeInteger("lt", ltText);
  if ((account === undefined) !== (lt === undefined))
    throw new RpcError("invalid-params", "account and lt go together");
  if (account !== undefined && lt !== undefined) {
    if (lt < 1n || lt >= 1n << 64n) throw new RpcError("invalid-params", "lt is out of range");
    return { address: addressOf(account), lt, hash, isClaimed: false };
  }
  if (!hash) throw new RpcError("invalid-params", "either hash or both account and lt are needed");
  return { ...(await indexed(hash, claims, call)), hash, isClaimed: true };
}

async function indexed(
  hash: Uint8Array,
  claims: AskClaim,
  call: LiteCall,
): Promise<Pick<AskedPlace, "address" | "lt">> {
  const answer = await claims("v3.transactions", { hash: bytesToHex(hash), limit: 1 }, call);
  const { transactions } = Object(answer) as { transactions?: unknown };
  const [first] = Array.isArray(transactions) ? transactions : [];
  if (first === undefined) throw new RpcError("absent", "transaction was not found");
  const record = recordIn("transaction", first as object, "debug") as { account?: unknown; lt?: unknown };
  return {
    address: read(
      "transaction.account",
      record.account,
      (text) => (typeof text === "string" ? Address.read(text)?.address : undefined),
      "debug",
    ),
    lt: read(
      "transaction.lt",
      record.lt,
      (text) => (typeof text === "string" ? uint64In(text) : undefined),
      "debug",
    ),
  };
}
