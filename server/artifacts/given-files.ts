import { LRUCache } from "lru-cache";
import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { ServiceError } from "../errors.js";
import type { Artifact } from "./artifact.js";
import { readArtifactText } from "./formats.js";
import type { Abis, ChosenAbi } from "./store.js";

/** The ABI that a call brings with it, as the text of its file. Throws a ServiceError if it is none. */
export function readGivenAbi(abi: string | undefined, files = new GivenFiles()): readonly ChosenAbi[] {
  return files.read({ abi })?.abis ?? [];
}

/** Files about the contract that runs, as the parameters of a call have them. */
export type GivenTexts = {
  readonly abi?: string | undefined;
  readonly source_map?: string | undefined;
};

/** Files that were given last, and their characters: debuggers send them with each call. */
const maxKnown = { count: 32, characters: 8 << 20 } as const;

/** Reads the files that calls bring with them. */
export class GivenFiles {
  readonly #known = new LRUCache<string, Artifact>({ max: maxKnown.count, maxSize: maxKnown.characters });

  /** Throws a ServiceError if a file is not what its parameter is for. Undefined if there is none. */
  read(given: GivenTexts): GivenArtifacts | undefined {
    const files = (["abi", "source_map"] as const).flatMap((param) => {
      const text = given[param];
      return text === undefined ? [] : [this.#read(param, text)];
    });
    return files.length > 0 ? new GivenArtifacts(files) : undefined;
  }

  #read(param: keyof GivenTexts, text: string): Artifact {
    const key = `${param} ${text}`;
    const known = this.#known.get(key);
    if (known) return known;
    const artifact = readParameter(param, text);
    this.#known.set(key, artifact, { size: key.length });
    return artifact;
  }
}

/** Files about one code. A file with an ABI and a source map is both. */
export class GivenArtifacts {
  readonly #files: readonly Artifact[];
  readonly abis: readonly ChosenAbi[];

  constructor(files: readonly Artifact[]) {
    this.#files = files;
    this.abis = abisIn(files);
  }

  /** All known files; for the code, these come first. */
  over(known: Abis, code: Cell | undefined): Abis {
    const own = code && bytesToBase64(code.hash());
    if (own === undefined) return known;
    const { abis } = this;
    const files = this.#files;
    return {
      isEmpty: false,
      list: () => known.list(),
      *abisOf(asked) {
        if (asked.codeHash === own) yield* abis;
        yield* known.abisOf(asked);
      },
      guesses: (opcode) => known.guesses(opcode),
      artifactsOf: (hash) => [...(hash === own ? files : []), ...known.artifactsOf(hash)],
      sourcesOf: (hash) => known.sourcesOf(hash),
    };
  }
}

/** Throws an AbiError if a file is not what it is given for. */
export function readGivenFile(param: keyof GivenTexts, text: string): Artifact {
  const artifact = readArtifactText(param, text);
  if (!artifact) throw new AbiError("its format is not known");
  if (param === "abi" && !artifact.coder) throw new AbiError("the file has no ABI");
  if (param === "source_map" && !artifact.map) throw new AbiError("the file has no source map");
  return artifact;
}

function readParameter(param: keyof GivenTexts, text: string): Artifact {
  try {
    return readGivenFile(param, text);
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
    throw new ServiceError("invalid-params", `${param} is not used: ${error.message}`, { data: { param } });
  }
}

function abisIn(files: readonly Artifact[]): ChosenAbi[] {
  return files.flatMap((artifact) => {
    const { contract, trust, coder } = artifact;
    return coder ? [{ coder: coder(), contract, trust, by: "call" as const, artifact }] : [];
  });
}
