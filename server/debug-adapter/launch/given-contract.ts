import { AbiError } from "../../../shared/ton/abi/abi-error.js";
import type { AbiCoder } from "../../../shared/ton/abi/coder.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { type GivenTexts, readGivenFile } from "../../artifacts/given-files.js";
import type { LocalSources } from "../local-sources.js";
import { RequestError } from "../service-calls.js";

/** Files that a client has given about one contract: their texts and their contents. */
export type GivenContract = {
  /** As parameters of methods. */
  readonly texts: GivenTexts;
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
  const files = [
    ...(abi === undefined ? [] : [{ name: "abi", param: "abi", given: abi } as const]),
    ...(sourceMap === undefined
      ? []
      : [{ name: "sourceMap", param: "source_map", given: sourceMap } as const]),
  ];
  if (files.length === 0) return undefined;
  const texts: { -readonly [Param in keyof GivenTexts]: GivenTexts[Param] } = {};
  const artifacts: Artifact[] = [];
  for (const { name, param, given } of files) {
    const text = await textOf(given, local);
    texts[param] = text;
    artifacts.push(read(name, param, text));
  }
  return {
    texts,
    codeHashes: artifacts.flatMap(({ codeHashes }) => codeHashes),
    abis: artifacts.flatMap(({ coder }) => coder?.() ?? []),
    sources: artifacts.flatMap(({ sources }) => sources),
  };
}

/** JSON, as an object or as text, is the content of a file. Other texts are paths. */
function textOf(given: NonNullable<Given>, local: LocalSources): Promise<string> | string {
  if (typeof given !== "string") return JSON.stringify(given);
  return /^\s*\{/.test(given) ? given : local.readFile(given);
}

function read(name: string, param: keyof GivenTexts, text: string): Artifact {
  try {
    if (text.length > maxCharacters)
      throw new AbiError(`it has ${text.length} characters; allowed: at most ${maxCharacters}`);
    return readGivenFile(param, text);
  } catch (error) {
    if (error instanceof AbiError) throw new RequestError(`${name} is not used: ${error.message}`);
    throw error;
  }
}
