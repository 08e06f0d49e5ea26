import { LRUCache } from "lru-cache";
import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { bytesKey, cellRef, Dictionary } from "../../shared/ton/cells/dictionaries/dictionary.js";
import { readSourceMap } from "../../shared/ton/debug/maps/read-map.js";
import type { SourceMap } from "../../shared/ton/debug/maps/source-map.js";
import { RunCode } from "../../shared/ton/debug/run-code.js";
import { libraryHash } from "../../shared/ton/run/code-libraries.js";
import { CodeCells } from "../../shared/ton/tvm/code/code-cells.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import type { Artifact } from "./artifact.js";
import { cellIn } from "./compiled.js";
import type { PackedJson } from "./packed.js";
import type { Abis, ChosenAbi } from "./store.js";

/** Maps that are ready for use, and the characters of their files. */
const maxReady = { count: 32, characters: 16 << 20 } as const;

type ChosenMap = {
  readonly artifact: Artifact;
  readonly format: NonNullable<Artifact["map"]>["format"];
  readonly map: SourceMap;
};
type Found = { readonly chosen: ChosenMap | undefined; readonly error: string | undefined };

/** A code that runs, as artifacts describe it. */
export type CodeSources = {
  readonly code: RunCode;
  /** The map that was chosen. */
  readonly map: ChosenMap | undefined;
  /** Why a map of the code is not used. */
  readonly mapError: string | undefined;
  readonly abis: readonly ChosenAbi[];
};

export type AskedCode = {
  readonly code: Cell | undefined;
  /** Raw, upper case. */
  readonly account: string | undefined;
  /** Root of the dictionary of libraries. */
  readonly libraries: Cell | undefined;
};

/** Reads source maps when they are used. A malformed one, or that of another code, is as good as none. */
export class SourceMaps {
  readonly #ready = new LRUCache<PackedJson, { code: CodeCells; read: SourceMap | AbiError }>({
    max: maxReady.count,
    maxSize: maxReady.characters,
  });

  /** The sources, the source map and the ABIs of a code. */
  of({ code, account, libraries }: AskedCode, artifacts: Abis): CodeSources {
    const known = libraries && Dictionary.loadDirect(libraries, bytesKey(32), cellRef);
    const cells = new CodeCells(code ? [code] : [], (cell) => known?.get(libraryHash(cell)));
    const codeHash = code && bytesToBase64(code.hash());
    const { chosen, error } = this.#choose(codeHash ? artifacts.artifactsOf(codeHash) : [], cells);
    const abis = artifacts.isEmpty ? [] : [...artifacts.abisOf({ codeHash, account })];
    const methodName = (id: number) =>
      abis.map(({ coder }) => coder.getMethod(id)?.name).find((name) => name !== undefined);
    return {
      code: new RunCode(cells, chosen ? [chosen.map] : [], methodName),
      map: chosen,
      mapError: chosen ? undefined : error,
      abis,
    };
  }

  /** The best map of a code among its artifacts. */
  #choose(artifacts: readonly Artifact[], code: CodeCells): Found {
    let error: string | undefined;
    for (const artifact of artifacts) {
      if (!artifact.map) continue;
      const { format, content } = artifact.map;
      const known = this.#ready.get(content);
      const read = known?.code.isSame(code) ? known.read : readMap(format, content, code);
      this.#ready.set(content, { code, read }, { size: Math.max(1, content.length) });
      if (!(read instanceof AbiError)) return { chosen: { artifact, format, map: read }, error };
      error ??= read.message;
    }
    return { chosen: undefined, error };
  }
}

function readMap(
  format: NonNullable<Artifact["map"]>["format"],
  content: PackedJson,
  code: CodeCells,
): SourceMap | AbiError {
  try {
    return readSourceMap(format, content.open(), code, (text) => cellIn(text, "the debug marks"));
  } catch (error) {
    if (error instanceof AbiError) return error;
    throw error;
  }
}
