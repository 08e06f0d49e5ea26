import { firstPassing } from "../../../values/first-passing.js";
import { AbiError } from "../../abi/abi-error.js";
import { AbiCoder } from "../../abi/coder.js";
import type { Shape } from "../../abi/json-shape.js";
import { readTolkAbi } from "../../abi/tolk.js";
import type { CodeCells } from "../../tvm/code/code-cells.js";
import type { MarkPlaces } from "./mark-places.js";
import type { Mark, SourcePlace } from "./marks.js";
import { SourceMap } from "./source-map.js";

const maxNumber = 0x7fffffff;
/** Files, functions, and slots of one mark, which are values of the machine's stack. */
const limits = { files: 1000, functions: 65_536, slots: 255 } as const;

type Range = { readonly place: SourcePlace; readonly name: string };

/** The map of Tolk's compiler: its types with files and functions, and its marks. */
export function tolkMap(types: Shape, marks: Shape, places: MarkPlaces, code: CodeCells): SourceMap {
  const reader = new TolkMarks(types, marks);
  return new SourceMap({ code, places, marksOf: (id) => reader.marksOf(id), types: typesIn(types) });
}

/** The types of a map are those of an ABI, without its messages. A map is of use without them. */
function typesIn(types: Shape): AbiCoder | undefined {
  try {
    const abi = types.value as Readonly<Record<string, unknown>>;
    return new AbiCoder(
      readTolkAbi({ ...abi, abi_schema_version: "1.0", contract_name: "map", storage: {} }),
    );
  } catch (error) {
    if (error instanceof AbiError) return undefined;
    throw error;
  }
}

class TolkMarks {
  readonly #marks: readonly Shape[];
  readonly #files: ReadonlyMap<number, string>;
  readonly #functions: ReadonlyMap<number, string>;
  /** Ranges of the functions by file, in the order of their beginnings. */
  readonly #ranges = new Map<string, Range[]>();
  readonly #known = new Map<number, readonly Mark[]>();

  constructor(types: Shape, marks: Shape) {
    this.#marks = marks.list(maxNumber);
    this.#files = new Map(
      types
        .member("files")
        .list(limits.files)
        .map((file) => [file.member("file_id").integer(0, maxNumber), file.member("file_name").name()]),
    );
    const functions = types.member("functions").list(limits.functions);
    this.#functions = new Map(
      functions.map((each) => [each.member("f_idx").integer(0, maxNumber), each.member("name").name()]),
    );
    for (const each of functions) this.#addRange(each);
    for (const ranges of this.#ranges.values()) ranges.sort((a, b) => compare(a.place, b.place));
  }

  #addRange(each: Shape): void {
    const [start, end] = [this.#place(each.member("ident_loc")), this.#place(each.member("end_loc"))];
    if (!start || !end || start.file !== end.file) return;
    const { endLine = end.line, endColumn = end.column } = end;
    const ranges = this.#ranges.get(start.file) ?? [];
    this.#ranges.set(start.file, ranges);
    ranges.push({ name: each.member("name").name(), place: { ...start, endLine, endColumn } });
  }

  /** Marks are read when they are used; an unknown kind is none. */
  marksOf(id: number): readonly Mark[] {
    const mark = this.#marks[id];
    const known = this.#known.get(id);
    if (known || !mark) return known ?? [];
    const read = this.#read(mark);
    const marks = read ? [read] : [];
    this.#known.set(id, marks);
    return marks;
  }

  #read(mark: Shape): Mark | undefined {
    const kind = mark.member("kind").value;
    const place = this.#place(mark.member("range"));
    switch (kind) {
      case "loc":
        return place && { kind: "place", place, function: this.#functionAt(place) };
      case "stack":
        return { kind: "stack", slots: slotsIn(mark.member("stack")) };
      case "enter_fun":
        return {
          kind: "enter",
          function: this.#functionOf(mark),
          isInlined: mark.member("is_inlined").value === true,
          isBuiltin: mark.member("is_builtin").value === true,
          place,
          slots: slotsIn(mark.member("ir_import")),
        };
      case "leave_fun":
        return { kind: "leave", place, function: place && this.#functionAt(place) };
      case "var":
      case "smart_cast":
      case "set_glob":
        return {
          kind: variableKinds[kind],
          name: mark.member(kind === "set_glob" ? "glob_name" : "var_name").name("optional"),
          type: mark.member("ty_idx").isAbsent ? undefined : mark.member("ty_idx").integer(0, maxNumber),
          slots: slotsIn(mark.member("ir_slots")),
        };
      case "scope_start":
        return { kind: "scope" };
      case "scope_end":
        return { kind: "scopeEnd" };
      default:
        return undefined;
    }
  }

  #functionOf(mark: Shape): string {
    const index = mark.member("f_idx").integer(0, maxNumber);
    return this.#functions.get(index) ?? `function ${index}`;
  }

  /** `[file, line, column, end line, end column]`; line zero is nowhere. */
  #place(range: Shape): SourcePlace | undefined {
    if (range.isAbsent) return undefined;
    const numbers = range.list(5).map((each) => each.integer(0, maxNumber));
    const [fileId = -1, line = 0, column = 0, endLine = line, endColumn = column] = numbers;
    const file = this.#files.get(fileId);
    return file === undefined || line === 0 ? undefined : { file, line, column, endLine, endColumn };
  }

  /** Functions do not nest: the last one that begins before a place is the only one that can contain it. */
  #functionAt(place: SourcePlace): string | undefined {
    const ranges = this.#ranges.get(place.file) ?? [];
    const range = ranges[firstPassing(0, ranges.length, (n) => compare(ranges[n]!.place, place) > 0) - 1];
    return range && place.line <= (range.place.endLine ?? 0) ? range.name : undefined;
  }
}

const variableKinds = { var: "variable", smart_cast: "narrowed", set_glob: "global" } as const;

function slotsIn(slots: Shape): number[] {
  return slots.list(limits.slots).map((slot) => slot.integer(0, maxNumber));
}

function compare(a: SourcePlace, b: SourcePlace): number {
  return a.line - b.line || a.column - b.column;
}
