import type { z } from "zod";
import type { debugCode } from "../../../shared/schema/v3/debug-state.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { libraryHash } from "../../../shared/ton/run/code-libraries.js";
import { disassemble } from "../../../shared/ton/tvm/code/disassemble.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { CodeSources } from "../../artifacts/source-maps.js";
import { presentLocated } from "./debug-values.js";

const maxInstructions = 20_000;

/** A code in words. */
export function presentDebugCode(root: Cell, sources: CodeSources): z.output<typeof debugCode> {
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
export function presentMap({ map }: Pick<CodeSources, "map">): z.output<typeof debugCode>["map"] {
  if (!map) return null;
  const { format, artifact } = map;
  const { trust, file, compiler } = artifact;
  return { format, trust, file, compiler };
}
