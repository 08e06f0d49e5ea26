import {
  OtherNetworkKept,
  TrustChain,
  type TrustOptions,
} from "../../../shared/ton/proofs/verify/trust/trust-chain.js";
import { formatBlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { SetupError } from "../../errors.js";
import { TrustFile } from "./trust-file.js";

export type TrustFolder = Omit<TrustOptions, "store"> & {
  /** Folder of `trust.json`; without it every process proves the chain from the start. */
  directory?: string | undefined;
  /** Whether another process writes the file, and this one only reads it. */
  isReader?: boolean;
};

/** Opens the chain with its file. Throws a SetupError if that is of another network or cannot be replaced. */
export async function openTrust({ directory, isReader, ...options }: TrustFolder): Promise<TrustChain> {
  if (directory === undefined) return TrustChain.open(options);
  const file = new TrustFile(directory, isReader);
  try {
    return await TrustChain.open({ ...options, store: file });
  } catch (error) {
    if (!(error instanceof OtherNetworkKept)) throw error;
    const { network, zeroState } = error.kept;
    throw new SetupError(
      `${file.path} is of another network, ${network} with the zero state ${formatBlockIdExt(zeroState)}, not ` +
        `${options.network} with ${formatBlockIdExt(options.zeroState)}: name another folder with --data, or move the file away`,
    );
  }
}
