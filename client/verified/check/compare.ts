import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";

/** A member of an answer: its `name` in errors, and its `kind`, without positions and hashes. */
export type Path = { name: string; kind: string };

/** An answer that is compared. `unproven` collects the kinds of members that no proof shows. */
export type Comparison = { block: BlockIdExt | undefined; unproven: Set<string> };

export function pathOf(name: string, kind = name): Path {
  return { name, kind };
}

/** Stands for the proven value of a member that no proof shows: its kind is `unproven`, also where it is absent. */
export const withoutProof = Symbol("without proof");

/** Throws a ProofError for the first member of a claimed value that differs from the proven one. `null` is absent. */
export function compare(claimed: unknown, proven: unknown, path: Path, comparison: Comparison): void {
  if (proven === withoutProof) comparison.unproven.add(path.kind);
  else if (proven instanceof Cell) compareCell(claimed, proven, path, comparison);
  else if (Array.isArray(proven)) compareList(claimed, proven, path, comparison);
  else if (typeof proven === "object" && proven !== null) compareMembers(claimed, proven, path, comparison);
  else if ((claimed ?? undefined) !== (proven ?? undefined))
    throw contradiction(path.name, claimed, proven, comparison.block);
}

function compareMembers(claimed: unknown, proven: object, path: Path, comparison: Comparison): void {
  if (typeof claimed !== "object" || claimed === null || Array.isArray(claimed))
    throw contradiction(path.name, claimed, proven, comparison.block);
  // Their keys are ids, so that all of them are proven.
  const isWhole = path.kind.endsWith("extra_currencies");
  for (const [key, value] of Object.entries(proven))
    compare((claimed as Record<string, unknown>)[key], value, below(path, `.${key}`), comparison);
  for (const [key, value] of Object.entries(claimed)) {
    if (Object.hasOwn(proven, key) || value === undefined || value === null) continue;
    if (isWhole) throw contradiction(`${path.name}.${key}`, value, undefined, comparison.block);
    comparison.unproven.add(`${path.kind}.${key}`);
  }
}

function compareList(claimed: unknown, proven: readonly unknown[], path: Path, comparison: Comparison): void {
  if (!Array.isArray(claimed) || claimed.length !== proven.length)
    throw contradiction(path.name, claimed, `${proven.length} items`, comparison.block);
  for (const [index, value] of proven.entries())
    compare(claimed[index], value, below(path, `[${index}]`, "[]"), comparison);
}

/** Bags of one cell differ in their order and checksums. */
function compareCell(claimed: unknown, proven: Cell, path: Path, { block }: Comparison): void {
  const bytes = typeof claimed === "string" ? base64ToBytes(claimed) : undefined;
  if (!bytes || !ifReadable(() => parseBocRoot(bytes).equals(proven)))
    throw contradiction(path.name, claimed, proven.hashHex(), block);
}

function below({ name, kind }: Path, part: string, general = part): Path {
  return { name: name + part, kind: kind + general };
}

const mostCharacters = 200;

/** The error of a claim about a member that a block contradicts. */
export function contradiction(
  field: string,
  claimed: unknown,
  proven: unknown,
  block: BlockIdExt | undefined,
): ProofError {
  const texts = { claimed: textOf(claimed), proven: textOf(proven) };
  const message = `${field}: ${texts.claimed} instead of ${texts.proven}`;
  return new ProofError(message, { method: "check", field, ...texts, ...(block && { block }) });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const text = typeof value === "object" ? shown(value) : String(value);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

function shown(value: object): string {
  const list = Array.isArray(value) ? `${value.length} items` : undefined;
  return list ?? `an object with ${Object.keys(value).slice(0, 10).join(", ") || "nothing"}`;
}
