import { type Builder, beginCell } from "../../cells/builder.js";
import { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";
import { type Kind, scalar } from "../kind.js";
import type { EnumMember, Prefix } from "../model.js";
import type { AbiRecord, AbiValue } from "../value.js";
import type { Work } from "../work.js";
import type { Inner } from "./composed.js";
import { integerOf, parseInteger } from "./numbers.js";
import { parseCell, raw, showCell } from "./raw.js";

type FieldKind = {
  readonly name: string;
  readonly kind: Inner;
  /** The value of a field that is not given. */
  readonly fallback: { readonly json: unknown } | undefined;
};

/** A structure. `cells` are its fields; those of later cells are behind a reference at the end of the cell before. */
export function structure(
  name: string,
  prefix: Prefix | undefined,
  cells: readonly (readonly FieldKind[])[],
): Kind {
  const fields = cells.flat();
  const names = new Set(fields.map((field) => field.name));
  return {
    load: (from, work) => {
      if (prefix) checkPrefix(from, prefix, name);
      const record: Record<string, AbiValue> = {};
      let at = from;
      for (const [i, part] of cells.entries()) {
        if (i > 0) at = nextCell(at);
        for (const { name: field, kind } of part) {
          record[field] = work.part(field, () => kind().load(at, work));
          if (work.taken === at) return record;
        }
        if (i > 0 && i === cells.length - 1) at.end();
      }
      return record;
    },
    store: (value, to, work) => {
      if (prefix) to.storeUint(prefix.num, prefix.len);
      storeCells(recordOf(value, work), cells, to, work);
    },
    width: () => fields.reduce((sum, { kind }) => sum + kind().width(), 0),
    pop: (slots, work) => {
      const record: Record<string, AbiValue> = {};
      let at = 0;
      for (const { name: field, kind } of fields) {
        const width = kind().width();
        const own = slots.slice(at, at + width);
        record[field] = work.part(field, () => kind().pop(own, work));
        at += width;
      }
      return record;
    },
    push: (value, to, work) => {
      const record = recordOf(value, work);
      for (const { name: field, kind } of fields)
        work.part(field, () => kind().push(record[field], to, work));
    },
    show: (value, work) => {
      const record = recordOf(value, work);
      const shown: Record<string, unknown> = {};
      for (const { name: field, kind } of fields)
        if (Object.hasOwn(record, field)) {
          work.spend(field.length);
          shown[field] = work.part(field, () => kind().show(record[field], work));
        }
      return shown;
    },
    parse: (json, work) => {
      if (typeof json !== "object" || json === null || Array.isArray(json))
        return work.refuse("expected an object");
      const given = json as Readonly<Record<string, unknown>>;
      // Each field is looked for, however few of them are given.
      work.spend(fields.length);
      const other = Object.keys(given).find((key) => !names.has(key) && key !== "@type");
      if (other !== undefined) work.refuse(`there is no ${other.slice(0, 100)}`);
      const record: Record<string, AbiValue> = {};
      for (const { name: field, kind, fallback } of fields)
        if (Object.hasOwn(given, field))
          record[field] = work.part(field, () => kind().parse(given[field], work));
        else if (fallback) record[field] = work.part(field, () => kind().parse(fallback.json, work));
      return record;
    },
  };
}

function storeCells(
  record: AbiRecord,
  [first = [], ...later]: readonly (readonly FieldKind[])[],
  to: Builder,
  work: Work,
): void {
  for (const { name, kind } of first) {
    if (work.taken === to && !Object.hasOwn(record, name)) return;
    work.part(name, () => kind().store(record[name], to, work));
  }
  if (later.length === 0) return;
  const next = beginCell();
  storeCells(record, later, next, work);
  to.storeRef(next.endCell());
}

function nextCell(at: Slice): Slice {
  const cell = at.loadRef();
  if (cell.exotic) throw new CellError("invalid", "an ordinary cell is expected");
  return cell.parse();
}

export function recordOf(value: AbiValue, work: Work): AbiRecord {
  if (typeof value !== "object" || Array.isArray(value) || value instanceof Map || value instanceof Cell)
    return work.refuse("expected a structure");
  return value as AbiRecord;
}

function checkPrefix(from: Slice, { num, len }: Prefix, name: string): void {
  if (from.loadBigUint(len) !== num) throw new CellError("invalid", `${name} has another prefix`);
}

/** An enum, whose values have names as JSON; numbers without a name stay numbers. */
export function enumeration(encoding: Inner, isBool: boolean, members: readonly EnumMember[]): Kind {
  const names = new Map(members.map(({ name, value }) => [value, name]));
  const values = new Map(members.map(({ name, value }) => [name, value]));
  return scalar({
    load: (from, work) => {
      const value = encoding().load(from, work);
      return typeof value === "boolean" ? BigInt(value) : value;
    },
    store: (value, to, work) => {
      const number = integerOf(value, work);
      encoding().store(isBool ? number !== 0n : number, to, work);
    },
    fromSlot: (slot, work) =>
      slot.type === "int" ? slot.value : work.refuse("the stack has no integer here"),
    toSlot: (value, work) => ({ type: "int", value: integerOf(value, work) }),
    show: (value, work) => {
      const number = integerOf(value, work);
      if (work.form === "ton-center") return isBool ? number !== 0n : number.toString();
      return names.get(number) ?? number.toString();
    },
    parse: (json, work) =>
      (typeof json === "string" ? values.get(json) : undefined) ?? parseInteger(json, work),
  });
}

/** A type that packs itself into cells by code of its own: raw in them, and as declared on the stack. */
export function selfPacked(declared: Kind): Kind {
  return {
    ...declared,
    load: raw.load,
    store: (value, to, work) =>
      value instanceof Cell
        ? raw.store(value, to, work)
        : work.refuse("the type packs itself; give the packed value as a bag of cells"),
    show: (value, work) => (value instanceof Cell ? showCell(value, work) : declared.show(value, work)),
    parse: (json, work) => (typeof json === "string" ? parseCell(json, work) : declared.parse(json, work)),
  };
}
