import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { noWorkchainText } from "../../../shared/ton/present/errors.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { ServiceError } from "../../errors.js";

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
  throw new ServiceError("liteserver-error", noWorkchainText);
}
