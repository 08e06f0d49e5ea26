import type { z } from "zod";
import type { debugCode } from "../../../schema/v3/debug-state.js";
import type { DebugMap } from "../../../schema/v3/debug-values.js";
import { bytesToBase64 } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { SourceMap } from "../../debug/maps/source-map.js";
import type { RunCode } from "../../debug/run-code.js";
import { libraryHash } from "../../run/code-libraries.js";
import { disassemble } from "../../tvm/code/disassemble.js";
import { presentLocated } from "./debug-values.js";

const maxInstructions = 20_000;

/** A source map that was chosen for a code, and whose it is. */
type ShownMap = Pick<DebugMap, "format"> & {
  readonly map: SourceMap;
  readonly artifact: Omit<DebugMap, "format">;
};

/** A code that runs, with what is known of its sources. */
type ShownCode = {
  readonly code: RunCode;
  /** The map that was chosen. */
  readonly map?: ShownMap | undefined;
  /** Why a map of the code is not used. */
  readonly mapError?: string | undefined;
};

/** A code in words. */
export function presentDebugCode(root: Cell, sources: ShownCode): z.output<typeof debugCode> {
  const { code } = sources;
  const { placed, isCut } = disassemble(code.cells, root, maxInstructions);
  return {
    code_hash: bytesToBase64(root.hash()),
    library: root.type === "library" ? bytesToBase64(libraryHash(root)) : null,
    methods: code.cells.methods.map(({ id, cell, offset }) => {
      const hash = cell.hashHex();
      return {
        id,
        name: code.methodName(id) ?? code.at(hash, offset)?.function ?? null,
        at: `${hash}:${offset}`,
      };
    }),
    instructions: placed.map(({ cell, offset, instruction, depth }) => ({
      at: `${cell}:${offset}`,
      ...(instruction && {
        op: instruction.name,
        ...(instruction.args !== "" && { args: instruction.args }),
        bits: instruction.bits,
        ...(instruction.refs.length > 0 && {
          refs: instruction.refs.map((ref) => bytesToBase64(ref.hash())),
        }),
      }),
      depth,
      ...presentLocated(code.at(cell, offset)),
    })),
    map: presentMap(sources),
    map_error: sources.mapError ?? null,
    is_cut: isCut,
  };
}

/** The source map that is used for a code. */
export function presentMap({ map }: Pick<ShownCode, "map">): DebugMap | null {
  if (!map) return null;
  const { format, artifact } = map;
  const { trust, file, compiler } = artifact;
  return { format, trust, file, compiler };
}
