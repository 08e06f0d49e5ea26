import { LRUCache } from "lru-cache";
import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import type { Turns } from "../../shared/ton/run/debug-run.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { ServiceError } from "../errors.js";
import type { Artifact } from "./artifact.js";
import { readArtifactText } from "./formats.js";
import type { Abis, ChosenAbi } from "./store.js";

/** Files about the contract that runs, as the parameters of a call have them. */
export type GivenTexts = {
  readonly abi?: string | undefined;
  readonly source_map?: string | undefined;
};

/** Files that were given last, and the bytes that they take when they are read: debuggers send them with each call. */
const maxKnown = { count: 32, bytes: 64 << 20 } as const;

/** Reads the files that calls bring with them. */
export class GivenFiles {
  readonly #known = new LRUCache<string, Artifact>({ max: maxKnown.count, maxSize: maxKnown.bytes });

  /**
   * Each file takes a turn, for which the caller pays. Throws a ServiceError if a file is not what its parameter is for.
   * Undefined if there is none.
   */
  async read(given: GivenTexts, turns: Turns): Promise<GivenArtifacts | undefined> {
    const files: Artifact[] = [];
    for (const param of ["abi", "source_map"] as const) {
      const text = given[param];
      if (text !== undefined) files.push(await turns(() => this.#read(param, text)));
    }
    return files.length > 0 ? new GivenArtifacts(files) : undefined;
  }

  #read(param: keyof GivenTexts, text: string): Artifact {
    const key = `${param} ${text}`;
    const known = this.#known.get(key);
    if (known) return known;
    const artifact = readParameter(param, text);
    this.#known.set(key, artifact, { size: key.length + (artifact.coder?.().weight ?? 0) });
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
