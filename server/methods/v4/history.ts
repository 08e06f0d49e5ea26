import { isNotFound } from "../../../shared/ton/lite/not-found.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { ServiceError } from "../../errors.js";

/**
 * Runs a read at a masterchain block. Throws `absent` with status 403 if the block exists but is older than the history that
 * can be read; REST shows the text.
 */
export async function inHistory<T>(
  seqno: number,
  reader: Pick<ChainReader, "last">,
  read: () => Promise<T>,
  text = "Forbidden",
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error) || seqno > reader.last.seqno) throw error;
    throw new ServiceError("absent", text, { status: 403, cause: error });
  }
}
