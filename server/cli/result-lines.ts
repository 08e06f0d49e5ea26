import { amountText } from "../../shared/text/amount-text.js";
import { isJsonObject } from "../../shared/values/json.js";
import { table } from "./table.js";

type Row = readonly [name: string, value: string];

const tonDecimals = 9;

/**
 * A result for people: members line by line, those of objects in it by their path, and lists of objects as tables below. Members
 * with the names `amounts` are nanotons, and shown in TON.
 */
export function resultLines(result: unknown, amounts: ReadonlySet<string> = new Set()): string[] {
  return linesOf(amounts.size === 0 ? result : withTon(result, amounts));
}

function withTon(value: unknown, amounts: ReadonlySet<string>): unknown {
  if (isList(value)) return value.map((each) => withTon(each, amounts));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [
      name,
      amounts.has(name) && typeof own === "string"
        ? `${amountText(own, tonDecimals)} TON`
        : withTon(own, amounts),
    ]),
  );
}

function linesOf(result: unknown): string[] {
  if (Array.isArray(result)) return listLines(result);
  if (!isJsonObject(result)) return textOf(result).split("\n");
  const lists = listsIn(result);
  const rows = rowsOf(result, "");
  return [
    ...(rows.length > 0 ? table(rows) : []),
    ...lists.flatMap(([name, list]) => ["", `${name}:`, ...listLines(list)]),
  ];
}

function listLines(list: readonly unknown[]): string[] {
  if (list.length === 0) return ["none"];
  if (!list.every(isJsonObject)) return list.map(textOf);
  const columns = [...new Set(list.flatMap((each) => Object.keys(each)))];
  const rows = list.map((each) => columns.map((column) => textOf(each[column])));
  return table([columns.map((column) => column.toUpperCase()), ...rows]);
}

/** Members that are neither objects nor lists of them. */
function rowsOf(members: Readonly<Record<string, unknown>>, prefix: string): Row[] {
  return Object.entries(members).flatMap(([name, value]): Row[] => {
    const path = prefix + name;
    if (isBlock(value)) return [[path, blockText(value)]];
    if (isJsonObject(value)) return rowsOf(value, `${path}.`);
    if (isList(value)) return [];
    const [first, ...more] = textOf(value).split("\n");
    return [[path, first!], ...more.map((line): Row => ["", line])];
  });
}

function listsIn(members: Readonly<Record<string, unknown>>, prefix = ""): [string, unknown[]][] {
  return Object.entries(members).flatMap(([name, value]): [string, unknown[]][] => {
    if (isList(value)) return [[prefix + name, value]];
    return isJsonObject(value) && !isBlock(value) ? listsIn(value, `${prefix}${name}.`) : [];
  });
}

type Block = { workchain: number; seqno: number; root_hash: string };

function isBlock(value: unknown): value is Block {
  return isJsonObject(value) && value["@type"] === "ton.blockIdExt";
}

function blockText({ workchain, seqno, root_hash: hash }: Block): string {
  return `${seqno} of workchain ${workchain}, ${hash}`;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "-";
  return withoutControls(
    typeof value === "string" ? value : isBlock(value) ? blockText(value) : JSON.stringify(value),
  );
}

/** A text of a contract on one line. */
export function plainText(text: string): string {
  return withoutControls(text).replaceAll("\n", " ");
}

/** Texts of contracts must not control the terminal. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "\ufffd");
}
