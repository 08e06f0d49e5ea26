import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { ServiceError } from "../errors.js";
import { readArtifactText } from "./formats.js";
import type { ChosenAbi } from "./store.js";

/** The ABI that a call brings with it, as the text of its file. Throws a ServiceError if it is none. */
export function readGivenAbi(text: string | undefined): ChosenAbi[] {
  if (text === undefined) return [];
  try {
    const artifact = readArtifactText("abi", text);
    if (!artifact?.coder) throw new AbiError("its format is not known");
    const { contract, trust, coder } = artifact;
    return [{ coder: coder(), contract, trust, by: "call", artifact }];
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
    throw new ServiceError("invalid-params", `abi is not used: ${error.message}`, { data: { param: "abi" } });
  }
}
