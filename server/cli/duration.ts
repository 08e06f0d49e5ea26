import { InvalidArgumentError } from "commander";
import { itemAt, memberOf } from "../../shared/values/lookups.js";

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `15m`, `1h`, `30d` or `0` into milliseconds. */
export function readDuration(text: string): number {
  const ms = durationOf(text);
  if (ms === undefined)
    throw new InvalidArgumentError("Allowed: 0, or a number with s, m, h or d, such as 1h.");
  return ms;
}

/** Parses a future time, given as ISO 8601 or as a duration from now. */
export function readMoment(text: string, now: Date): Date {
  const moment = /^\d{4}-\d\d-\d\d/.test(text)
    ? new Date(text)
    : new Date(now.getTime() + (durationOf(text) ?? Number.NaN));
  if (Number.isNaN(moment.getTime()) || moment <= now)
    throw new InvalidArgumentError(
      "Allowed: a time in the future, as ISO 8601 such as 2030-12-31 or 2030-12-31T18:00:00Z, or as a duration: " +
        "a number with s, m, h or d, such as 90d.",
    );
  return moment;
}

function durationOf(text: string): number | undefined {
  if (text === "0") return 0;
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  return match ? Number(match[1]) * memberOf(unitMs, itemAt(match, 2)) : undefined;
}
