import type { Cell } from "../cells/cell.js";
import { countCells } from "../cells/cell-set.js";
import { decode, encode } from "../tlb/codec.js";
import { type ConfigNumber, configParam, configType } from "../tlb/config/config-param.js";
import type { SizeLimitsConfig } from "../tlb/config/size-limits.js";
import { ConfigDictionary } from "../tlb/config-params.js";
import { readWhole } from "../tlb/read-whole.js";
import { ifReadable } from "../tlb/readable.js";
import { UnusableRun } from "./unusable-run.js";
import { newestVersion, rowOf } from "./versions.js";

/** Parameters that transactions cannot do without. */
const required = [0, 18, 20, 21, 24, 25] as const;
/** All parameters that transactions read. The executor has defaults for some that it cannot read, and crashes on others. */
const readByTransactions = [...required, 5, 8, 12, 14, 19, 31, 43, 44, 45] as const;
/** A get-method reads few of them before it starts; those that it asks for it gets as they are. */
const readByMethods = [8, 12, 18, 31] as const;

type ReadableConfig = {
  root: Cell;
  /** Parameters that differ from the network's. */
  adapted: readonly number[];
};

/**
 * The configuration in the form that an executor of this version reads in transactions: parameters with fields that it
 * does not know are given to it in the newest form that it does know, all others unchanged. Throws an UnusableRun that
 * names the parameter and the versions if there is no such form.
 */
export function readableConfig(root: Cell, executor: number): ReadableConfig {
  const parameters = parametersOf(root);
  const context = { executor, network: networkVersion(parameters) };
  const missing = required.find((number) => !parameters.has(number));
  if (missing !== undefined) throw unusable(missing, context, "it is missing");
  const changes = readByTransactions.flatMap((number): [number, Cell][] => {
    const cell = parameters.get(number);
    const form = cell && readableForm(number, cell, context);
    return form === undefined || form === cell ? [] : [[number, form]];
  });
  if (changes.length === 0) return { root, adapted: [] };
  return {
    root: encode(ConfigDictionary, parameters.update(changes)),
    adapted: changes.map(([number]) => number),
  };
}

/** Throws an UnusableRun that names the parameter with which no get-method can start. */
export function checkForMethods(root: Cell, executor: number): void {
  const parameters = parametersOf(root);
  const context = { executor, network: networkVersion(parameters) };
  for (const number of readByMethods) {
    const cell = parameters.get(number);
    if (cell) readableForm(number, cell, context);
  }
}

/** The version of ConfigParam 8: 0 without one, undefined if it cannot be read. */
export function networkVersion(parameters: ConfigDictionary): number | undefined {
  return ifReadable(() => configParam(parameters, 8)?.version ?? 0);
}

/** `network`: undefined if it cannot be read. */
type Context = { executor: number; network: number | undefined };

function parametersOf(root: Cell): ConfigDictionary {
  try {
    const slice = root.parse();
    const parameters = ConfigDictionary.load(slice);
    slice.end();
    // Reading them all shows a dictionary that is cut.
    void [...parameters.keys()];
    return parameters;
  } catch (cause) {
    throw new UnusableRun(`The configuration cannot be read: ${messageOf(cause)}`, cause);
  }
}

function readableForm<N extends ConfigNumber>(number: N, cell: Cell, context: Context): Cell {
  const type = configType(number);
  try {
    const slice = cell.parse();
    const value = type.load(slice);
    readWhole(value);
    const known = number === 43 ? olderLimits(value as SizeLimitsConfig, context.executor) : value;
    const isWhole = slice.remainingBits === 0 && slice.remainingRefs === 0;
    if ((isWhole || context.executor >= newestVersion) && known === value) return cell;
    return encode(type, known as typeof value);
  } catch (cause) {
    // The executor may be newer than this code, and read forms that are unknown here.
    if (context.executor >= newestVersion) return cell;
    throw unusable(number, context, messageOf(cause), cause);
  }
}

/** Limits in the newest form that the executor reads. */
function olderLimits(limits: SizeLimitsConfig, executor: number): SizeLimitsConfig {
  const newest = rowOf(executor).sizeLimits;
  if (limits.kind === "v3" && newest !== "v3") {
    const { maxTotalMsgBits: _, maxTotalMsgCells: __, ...older } = limits;
    return olderLimits({ ...older, kind: "v2" }, executor);
  }
  if (limits.kind === "v2" && newest === "earlyV2") {
    const { maxTransactionLibraryLoads: _, ...older } = limits;
    return { ...older, kind: "earlyV2" };
  }
  return limits;
}

function unusable(number: number, { executor, network }: Context, reason: string, cause?: unknown) {
  const of = network === undefined ? "" : ` of a network of version ${network}`;
  return new UnusableRun(
    `The executor, of version ${executor}, cannot use configuration parameter ${number}${of}: ${reason}`,
    cause,
  );
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Mainnet's configuration has 3,000 cells. */
export const maxConfigCells = 32_768;

/** Throws an UnusableRun that names the largest parameter if a configuration has too many distinct cells. */
export function checkConfigSize(root: Cell): void {
  if (countCells(root, maxConfigCells) <= maxConfigCells) return;
  let largest = { number: 0, cells: -1 };
  for (const [number, cell] of decode(ConfigDictionary, root).entries()) {
    const cells = countCells(cell, maxConfigCells);
    if (cells > largest.cells) largest = { number, cells };
  }
  throw new UnusableRun(
    `The configuration has more than ${maxConfigCells} cells; the largest part is parameter ${largest.number}`,
  );
}
