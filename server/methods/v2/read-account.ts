import type { Address } from "../../../shared/values/address.js";
import type { LiteCall } from "../../chain/lite-api.js";
import type { AccountSnapshot } from "../../chain/read/account.js";
import type { ChainReader } from "../../chain/read/reader.js";
import { ServiceError } from "../../errors.js";
import type { BlockIdExt } from "../../tlb/block-id.js";

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
