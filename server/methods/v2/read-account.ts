import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { ServiceError } from "../../errors.js";

/** A block id that does not exist; liteservers return it for accounts of unknown workchains. */
const noShard = `(-2147483648,0000000000000000,0):${"0".repeat(64)}:${"0".repeat(64)}`;

/**
 * Reads the requested account. Throws tonlib's error if its workchain does not exist; a missing account of an existing
 * workchain is uninitialized.
 */
export async function readAccount(
  reader: Pick<ChainReader, "account">,
  block: BlockIdExt,
  address: Address,
  call: LiteCall,
): Promise<AccountSnapshot> {
  const account = await reader.account(block, address, call);
  if (account.shardBlock) return account;
  // tonlib joins the two parts without a separator.
  throw new ServiceError(
    "liteserver-error",
    `VALIDATE_ACCOUNT_STATEshard block id ${noShard} in answer is invalid`,
  );
}
