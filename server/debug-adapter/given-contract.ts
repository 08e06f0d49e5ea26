import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import type { Artifact } from "../artifacts/artifact.js";
import { readArtifactText } from "../artifacts/formats.js";
import type { LocalSources } from "./local-sources.js";
import { RequestError } from "./service-calls.js";

/** What a client has given about one contract: the texts of files, and what they contain. */
export type GivenContract = {
  /** As parameters of methods. */
  readonly texts: { readonly abi?: string; readonly source_map?: string };
  /** Hashes of its codes in base64; none if the files do not have the code. */
  readonly codeHashes: readonly string[];
  readonly abis: readonly AbiCoder[];
  readonly sources: Artifact["sources"];
};

type Given = string | Readonly<Record<string, unknown>> | undefined;

/** Characters of a file: all calls have it. */
const maxCharacters = 512 * 1024;

/** Reads the files that a client has named. Throws a RequestError if one is not what its argument is for. */
export async function readGivenContract(
  { abi, sourceMap }: { readonly abi?: Given; readonly sourceMap?: Given },
  local: LocalSources,
): Promise<GivenContract | undefined> {
  if (abi === undefined && sourceMap === undefined) return undefined;
  const ofAbi = await fileOf("abi", abi, local);
  const ofMap = await fileOf("sourceMap", sourceMap, local);
  const artifacts = [ofAbi, ofMap].flatMap((file) => file?.artifact ?? []);
  if (ofAbi && !ofAbi.artifact.coder) throw notUsed("abi", "the file has no ABI");
  if (ofMap && !ofMap.artifact.map) throw notUsed("sourceMap", "the file has no source map");
  return {
    texts: { ...(ofAbi && { abi: ofAbi.text }), ...(ofMap && { source_map: ofMap.text }) },
    codeHashes: artifacts.flatMap(({ codeHashes }) => codeHashes),
    abis: artifacts.flatMap(({ coder }) => coder?.() ?? []),
    sources: artifacts.flatMap(({ sources }) => sources),
  };
}

async function fileOf(name: string, given: Given, local: LocalSources) {
  if (given === undefined) return undefined;
  const text = await textOf(given, local);
  if (text.length > maxCharacters)
    throw notUsed(name, `it has ${text.length} characters; allowed: at most ${maxCharacters}`);
  try {
    const artifact = readArtifactText(name, text);
    if (!artifact) throw new AbiError("its format is not known");
    return { text, artifact };
  } catch (error) {
    if (error instanceof AbiError) throw notUsed(name, error.message);
    throw error;
  }
}

/** JSON, as an object or as text, is the content of a file. Other texts are paths. */
function textOf(given: NonNullable<Given>, local: LocalSources): Promise<string> | string {
  if (typeof given !== "string") return JSON.stringify(given);
  return /^\s*\{/.test(given) ? given : local.readFile(given);
}

function notUsed(name: string, reason: string): RequestError {
  return new RequestError(`${name} is not used: ${reason}`);
}
