import { AbiError } from "../../../shared/ton/abi/abi-error.js";
import { ifJson } from "../../../shared/values/json.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { isCatalogue, readCatalogue } from "../../artifacts/catalogue.js";
import { readArtifactFile } from "../../artifacts/folder.js";
import { readArtifactText } from "../../artifacts/formats.js";
import { programOf } from "../../artifacts/typescript/program.js";
import { SetupError } from "../../errors.js";

/** TypeScript of the contracts in these files. Throws a `SetupError` that names a file without an ABI. */
export async function writeTypes(files: readonly string[]): Promise<string> {
  const artifacts: Artifact[] = [];
  for (const file of files) artifacts.push(...(await artifactsIn(file)));
  try {
    return programOf(artifacts);
  } catch (error) {
    throw error instanceof AbiError ? new SetupError(error.message) : error;
  }
}

async function artifactsIn(file: string): Promise<Artifact[]> {
  try {
    const text = await readArtifactFile(file);
    const json = ifJson(text);
    if (isCatalogue(json)) return readCatalogue(file, json);
    const artifact = readArtifactText(file, text);
    if (!artifact?.coder) throw new Error("it has no ABI of Tolk or Tact");
    return [artifact];
  } catch (error) {
    throw new SetupError(`${file} is not used: ${(error as Error).message}`);
  }
}
