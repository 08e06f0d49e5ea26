import { AbiError } from "../../abi/abi-error.js";
import { Shape } from "../../abi/json-shape.js";
import type { Cell } from "../../cells/cell.js";
import type { CodeCells } from "../../tvm/code/code-cells.js";
import { funcMap } from "./func-map.js";
import { MarkCollector, type MarkPlaces, readMarks } from "./mark-places.js";
import { sectionsMap } from "./sections-map.js";
import type { SourceMap } from "./source-map.js";
import { tolkMap } from "./tolk-map.js";

const limits = { cells: 65_536, marks: 262_144 } as const;
const maxNumber = 0xffffffff;

/** Forms of maps: that of Acton, the parts that Tolk's compiler returns, FunC's, and that of ton-source-map. */
export type MapFormat = "acton" | "tolk" | "func" | "sections";

/**
 * Reads a map for a code. Throws an AbiError if it is malformed or too large, or has no mark in the code, so that it belongs
 * to another one.
 */
export function readSourceMap(
  format: MapFormat,
  content: unknown,
  code: CodeCells,
  cellIn: (text: unknown) => Cell,
): SourceMap {
  const map = read(format, new Shape(content, "map"), code, cellIn);
  for (const cell of map.cells) if (code.cell(cell)) return map;
  throw new AbiError("the map has no marks in the code: it is of another code");
}

function read(format: MapFormat, map: Shape, code: CodeCells, cellIn: (text: unknown) => Cell): SourceMap {
  switch (format) {
    case "acton":
      return tolkMap(map, map.member("debug_marks"), placesIn(map.member("marks_dict")), code);
    case "tolk":
      return tolkMap(
        map.member("symbolTypesJson"),
        map.member("debugMarksJson"),
        readMarks(cellIn(map.member("debugMarksBase64").value), code),
        code,
      );
    case "func":
      return funcMap(
        map.member("debugInfo"),
        readMarks(cellIn(map.member("debugMarksBoc").value), code),
        code,
      );
    case "sections":
      return sectionsMap(map, code);
  }
}

/** `{<hash of a cell>: [[offset, mark]]}`, as the machine sees the cells. */
function placesIn(dictionary: Shape): MarkPlaces {
  const collector = new MarkCollector();
  for (const [hash, places] of dictionary.entries(limits.cells))
    for (const place of places.list(limits.marks)) {
      const [offset, mark] = place.list(2);
      if (offset && mark)
        collector.add(hash.toLowerCase(), offset.integer(0, maxNumber), mark.integer(0, maxNumber));
    }
  return collector.places;
}
