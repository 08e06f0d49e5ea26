import type { ContractAbi } from "../../../../client/api.js";
import { AbiError } from "../../../../shared/ton/abi/abi-error.js";
import { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import { isTactAbi, readTactAbi } from "../../../../shared/ton/abi/tact.js";
import { readTolkAbi } from "../../../../shared/ton/abi/tolk.js";

/** An ABI that values are read and written by. */
export type Described = { readonly about: ContractAbi; readonly coder: AbiCoder };

/** The first of the ABIs that can be read; the service leaves out files that are too long. */
export function firstReadable(abis: readonly ContractAbi[]): Described | undefined {
  for (const about of abis) {
    const coder = about.abi && coderOf(about.abi);
    if (coder) return { about, coder };
  }
  return undefined;
}

function coderOf(json: unknown): AbiCoder | undefined {
  try {
    return new AbiCoder(isTactAbi(json) ? readTactAbi(json) : readTolkAbi(json));
  } catch (error) {
    if (error instanceof AbiError) return undefined;
    throw error;
  }
}
