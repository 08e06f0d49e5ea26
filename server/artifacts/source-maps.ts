import { LRUCache } from "lru-cache";
import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { readSourceMap } from "../../shared/ton/debug/maps/read-map.js";
import type { SourceMap } from "../../shared/ton/debug/maps/source-map.js";
import type { CodeCells } from "../../shared/ton/tvm/code/code-cells.js";
import type { Artifact } from "./artifact.js";
import { cellIn } from "./compiled.js";
import type { PackedJson } from "./packed.js";

/** Maps that are ready for use, and the characters of their files. */
const maxReady = { count: 32, characters: 16 << 20 } as const;

/** A map that was chosen for a code, or why none is. */
export type ChosenMap = { readonly artifact: Artifact; readonly map: SourceMap };
type Found = { readonly chosen: ChosenMap | undefined; readonly error: string | undefined };

/** Reads source maps when they are used. A malformed one, or that of another code, is as good as none. */
export class SourceMaps {
  readonly #ready = new LRUCache<PackedJson, { code: CodeCells; read: SourceMap | AbiError }>({
    max: maxReady.count,
    maxSize: maxReady.characters,
  });

  /** The best map of a code among its artifacts. */
  choose(artifacts: readonly Artifact[], code: CodeCells): Found {
    let error: string | undefined;
    for (const artifact of artifacts) {
      if (!artifact.map) continue;
      const { format, content } = artifact.map;
      const known = this.#ready.get(content);
      const read = known?.code.isSame(code) ? known.read : readMap(format, content, code);
      this.#ready.set(content, { code, read }, { size: Math.max(1, content.length) });
      if (!(read instanceof AbiError)) return { chosen: { artifact, map: read }, error };
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
