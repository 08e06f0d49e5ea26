import type { Shape } from "../../abi/json-shape.js";
import type { CodeCells } from "../../tvm/code/code-cells.js";
import { MarkCollector } from "./mark-places.js";
import type { Mark } from "./marks.js";
import { SourceMap } from "./source-map.js";

const maxNumber = 0x7fffffff;
const limits = { cells: 65_536, instructions: 262_144, sections: 1000 } as const;

/** A map in the form of ton-source-map: each instruction has sections of the sources, of which the last one is the nearest. */
export function sectionsMap(map: Shape, code: CodeCells): SourceMap {
  const locations = map.member("highlevelMapping").member("locations").list(maxNumber);
  const assembly = map.member("assemblyMapping");
  const collector = new MarkCollector();
  const addAll = (cell: string, instructions: Shape, behind: number) => {
    for (const instruction of instructions.list(limits.instructions)) {
      const section = instruction.member("debugSections").list(limits.sections).at(-1);
      if (section)
        collector.add(
          cell.toLowerCase(),
          behind + instruction.member("offset").integer(0, maxNumber),
          section.integer(0, maxNumber),
        );
    }
  };
  const cells = assembly.member("cells");
  for (const [hash, cell] of cells.entries(limits.cells)) addAll(hash, cell.member("instructions"), 0);
  for (const leaf of assembly.member("dictionaryCells").list(limits.cells)) {
    const own = cells.member(leaf.member("dataCell").name());
    if (!own.isAbsent)
      addAll(
        leaf.member("cell").name(),
        own.member("instructions"),
        leaf.member("offset").integer(0, maxNumber),
      );
  }
  const marksOf = (id: number): readonly Mark[] => {
    const location = locations[id];
    return location ? [markOf(location)] : [];
  };
  return new SourceMap({ code, places: collector.places, marksOf });
}

function markOf(location: Shape): Mark {
  const at = location.member("loc");
  // They count from zero, and their ends are not stated.
  const number = (member: string) => at.member(member).integer(0, maxNumber) + 1;
  const place = { file: at.member("file").name(), line: number("line"), column: number("column") };
  return { kind: "place", place, function: location.member("context").member("containing_function").name() };
}
