import { LRUCache } from "lru-cache";
import { AbiError } from "../../shared/ton/abi/abi-error.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { readSourceMap } from "../../shared/ton/debug/maps/read-map.js";
import type { SourceMap } from "../../shared/ton/debug/maps/source-map.js";
import { RunCode } from "../../shared/ton/debug/run-code.js";
import { type AskedCode, libraryFinder } from "../../shared/ton/present/v3/executed-run.js";
import { CodeCells } from "../../shared/ton/tvm/code/code-cells.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import type { Artifact } from "./artifact.js";
import { cellIn } from "./compiled.js";
import type { PackedJson } from "./packed.js";
import type { Abis, ChosenAbi } from "./store.js";

/** Maps that are ready for use, and the characters of their files. */
const maxReady = { count: 32, characters: 16 << 20 } as const;

/** Codes within the code of a contract. */
const maxEmbedded = 16;

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
  /** Codes from elsewhere that ran besides it, such as one in the configuration. */
  readonly others: readonly OtherCode[];
};

/** A code that a run executed besides the contract's own. */
export type OtherCode = Pick<CodeSources, "map" | "abis"> & {
  readonly root: Cell;
  readonly cells: CodeCells;
};

/** The cells of code that a run executed. */
type ExecutedCells = {
  /** Hashes in hex of the cells, in the order of their first steps. */
  readonly cells: readonly string[];
  /** The codes that are no part of the contract's own. */
  readonly elsewhere: (own: CodeCells) => readonly Cell[];
};

/** Reads source maps when they are used. A malformed one, or that of another code, is as good as none. */
export class SourceMaps {
  readonly #ready = new LRUCache<PackedJson, { code: CodeCells; read: SourceMap | AbiError }>({
    max: maxReady.count,
    maxSize: maxReady.characters,
  });

  /** The sources, the source map and the ABIs of a code, and of other codes that a run executed. */
  of({ code, account, libraries }: AskedCode, artifacts: Abis, ran?: ExecutedCells): CodeSources {
    const findLibrary = libraryFinder({ libraries });
    const cells = new CodeCells(code ? [code] : [], findLibrary);
    const codeHash = code && bytesToBase64(code.hash());
    const { chosen, error } = this.#choose(codeHash ? artifacts.artifactsOf(codeHash) : [], cells);
    const abis = artifacts.isEmpty ? [] : [...artifacts.abisOf({ codeHash, account })];
    const roots = ran ? [...embedded(ran.cells, cells, chosen, artifacts), ...ran.elsewhere(cells)] : [];
    const others = roots.map((root) => this.#other(root, new CodeCells([root], findLibrary), artifacts));
    const all = others.length > 0 ? new CodeCells([...(code ? [code] : []), ...roots], findLibrary) : cells;
    const methodName = (id: number, cell?: string) => {
      const other = cell === undefined ? undefined : otherOf(others, cell);
      const named = (other?.abis ?? abis).map(({ coder }) => coder.getMethod(id)?.name);
      return named.find((name) => name !== undefined);
    };
    const maps = [chosen, ...others.map(({ map }) => map)].flatMap((each) => each?.map ?? []);
    return {
      code: new RunCode(all, maps, methodName),
      map: chosen,
      mapError: error,
      abis,
      others,
    };
  }

  #other(root: Cell, cells: CodeCells, artifacts: Abis): OtherCode {
    const codeHash = bytesToBase64(root.hash());
    const { chosen: map } = this.#choose(artifacts.artifactsOf(codeHash), cells);
    return { root, cells, map, abis: artifacts.isEmpty ? [] : [...artifacts.abisOf({ codeHash })] };
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

/** The code from elsewhere that a cell is a part of. */
export function otherOf(others: readonly OtherCode[], cell: string): OtherCode | undefined {
  return others.find(({ cells }) => cells.cell(cell) !== undefined);
}

/** Executed cells within a code that artifacts know as a code of their own, and that its map does not have. */
function embedded(
  executed: readonly string[],
  own: CodeCells,
  chosen: ChosenMap | undefined,
  artifacts: Abis,
): Cell[] {
  if (artifacts.isEmpty) return [];
  return executed
    .flatMap((hash) => (own.isRoot(hash) || chosen?.map.has(hash) ? [] : (own.cell(hash) ?? [])))
    .filter((cell) => artifacts.artifactsOf(bytesToBase64(cell.hash())).length > 0)
    .slice(0, maxEmbedded);
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
