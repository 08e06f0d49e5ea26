import { keysOfPlan, type NewKey } from "../../access/keys/key-commands.js";
import type { KeyFile, KeyRecord } from "../../access/keys/key-file.js";
import { builtInPlans, type CustomPlan } from "../../access/limits/plan.js";
import { type UsageRow, usageCsv } from "../../access/usage/usage.js";
import { table } from "../table.js";

// Output of the key commands: tables and sentences for people, one line of JSON for programs.

type Print = (line: string) => void;
/** `json`: for programs; `quiet`: the key alone. */
export type OutputFlags = { json?: boolean; quiet?: boolean };

/** Prints a new key: as JSON, alone, or with the sentences that follow it. */
export function printNewKey(
  { record, text }: NewKey,
  { json, quiet }: OutputFlags,
  { print, notes }: { print: Print; notes: readonly string[] },
): void {
  if (json) {
    print(JSON.stringify({ key: text, ...publicRecord(record) }));
    return;
  }
  print(text);
  if (quiet) return;
  print(`id ${record.id}, network ${record.network}, plan ${record.plan}; the key is shown only this once`);
  for (const note of notes) print(note);
}

/** Prints keys as a table without their texts, which are not stored. */
export function printKeys(keys: readonly KeyRecord[], now: Date, { json }: OutputFlags, print: Print): void {
  if (json) {
    print(JSON.stringify(keys.map(publicRecord)));
    return;
  }
  const rows = keys.map((key) => [
    key.id,
    key.network,
    key.plan,
    stateOf(key, now),
    key.created_at,
    rulesText(key),
    key.label,
  ]);
  for (const line of table([["ID", "NETWORK", "PLAN", "STATE", "CREATED", "ONLY", "LABEL"], ...rows]))
    print(line);
}

/** Prints the built-in plans, then the custom ones, each with the number of its keys that are not revoked. */
export function printPlans(file: KeyFile, { json }: OutputFlags, print: Print): void {
  const plans = [...Object.keys(builtInPlans), ...Object.keys(file.plans)].map((name) => ({
    name,
    ...((file.plans[name] ?? builtInPlans[name]) as Partial<CustomPlan> | undefined),
    keys: keysOfPlan(file, name).length,
  }));
  if (json) {
    print(JSON.stringify(plans));
    return;
  }
  const rows = plans.map(({ name, rps, burst, month, keys }) => [
    name,
    ...[rps, burst, month?.calls, month?.points].map((limit) => `${limit ?? "no limit"}`),
    `${keys}`,
  ]);
  const head = ["PLAN", "PER SECOND", "AT ONCE", "CALLS/MONTH", "POINTS/MONTH", "KEYS"];
  for (const line of table([head, ...rows])) print(line);
}

/** The limits of a plan in a sentence. */
export function planSentence(name: string, { rps, burst, month }: CustomPlan): string {
  const quotas = Object.entries(month ?? {}).map(([unit, count]) => `, ${count} ${unit} per month`);
  return `plan ${name}: ${rps} calls per second, ${burst} at once${quotas.join("")}`;
}

/** The quotas of a plan as a member; none if it has none. */
export function monthOfPlan({ month }: CustomPlan): Pick<CustomPlan, "month"> {
  return month ? { month } : {};
}

/** Prints what keys have used. */
export function printUsage(
  rows: readonly UsageRow[],
  { csv, json }: { csv: boolean; json: boolean },
  print: Print,
): void {
  if (json || csv) {
    print(json ? JSON.stringify(rows) : usageCsv(rows).trimEnd());
    return;
  }
  const cells = rows.map(({ day, key, calls, points, refused }) => [
    day,
    key,
    `${calls}`,
    `${points}`,
    `${refused}`,
  ]);
  for (const line of table([["DAY", "KEY", "CALLS", "POINTS", "REFUSED"], ...cells])) print(line);
}

/** The numbers of methods and origins that a key is limited to. */
function rulesText({ methods, origins }: KeyRecord): string {
  const counts = [count(methods, "method"), count(origins, "origin")].filter((text) => text !== "");
  return counts.join(", ") || "-";
}

function count(patterns: readonly string[] | undefined, what: string): string {
  if (patterns === undefined) return "";
  return `${patterns.length} ${what}${patterns.length === 1 ? "" : "s"}`;
}

/** Without the hash, which is for the service alone. */
export function publicRecord({ hash: _, ...record }: KeyRecord): Omit<KeyRecord, "hash"> {
  return record;
}

function stateOf({ revoked_at, expires_at, replaced_by }: KeyRecord, now: Date): string {
  const successor = replaced_by === undefined ? "" : `, replaced by ${replaced_by}`;
  if (revoked_at !== undefined) return `revoked ${revoked_at}`;
  if (expires_at === undefined) return "active";
  return `${Date.parse(expires_at) <= now.getTime() ? "expired" : "active until"} ${expires_at}${successor}`;
}
