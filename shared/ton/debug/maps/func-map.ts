import type { Shape } from "../../abi/json-shape.js";
import type { CodeCells } from "../../tvm/code/code-cells.js";
import type { MarkPlaces } from "./mark-places.js";
import type { Mark } from "./marks.js";
import { SourceMap } from "./source-map.js";

const maxNumber = 0x7fffffff;
/** Values of the machine's stack, and items of a tuple. */
const maxNames = 255;
const maxGlobals = 255;

/** The map of FunC's compiler: `locations`, of which each is a mark of its number. */
export function funcMap(debugInfo: Shape, places: MarkPlaces, code: CodeCells): SourceMap {
  const locations = debugInfo.member("locations").list(maxNumber);
  const known = new Map<number, readonly Mark[]>();
  const marksOf = (id: number): readonly Mark[] => {
    const location = locations[id];
    const marks = known.get(id) ?? (location ? marksAt(location) : []);
    known.set(id, marks);
    return marks;
  };
  const globals = debugInfo
    .member("globals")
    .list(maxGlobals)
    .map((each) => each.member("name").name());
  return new SourceMap({ code, places, marksOf, globals });
}

function marksAt(location: Shape): Mark[] {
  const name = location.member("func").name();
  const place = {
    file: location.member("file").name(),
    line: location.member("line").integer(0, maxNumber),
    // The compiler counts the characters before it.
    column: location.member("pos").integer(0, maxNumber) + 1,
  };
  const marks: Mark[] = [];
  if (location.member("first_stmt").value === true)
    marks.push({
      kind: "enter",
      function: name,
      isInlined: false,
      isBuiltin: false,
      place: undefined,
      slots: [],
    });
  marks.push({ kind: "place", place, function: name });
  const variables = location.member("vars");
  if (!variables.isAbsent)
    marks.push({ kind: "names", names: variables.list(maxNames).map((each) => each.name()) });
  if (location.member("ret").value === true) marks.push({ kind: "leave", place, function: name });
  return marks;
}
