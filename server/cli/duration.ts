import { InvalidArgumentError } from "commander";

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `15m`, `1h`, `30d` or `0` into milliseconds. */
export function readDuration(text: string): number {
  if (text === "0") return 0;
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  if (!match) throw new InvalidArgumentError("Allowed: 0, or a number with s, m, h or d, such as 1h.");
  return Number(match[1]) * unitMs[match[2]!]!;
}

/** Parses a future time, given as ISO 8601 or as a duration from now. */
export function readMoment(text: string, now: Date): Date {
  const moment = /^\d{4}-\d\d-\d\d/.test(text)
    ? new Date(text)
    : new Date(now.getTime() + readDuration(text));
  if (Number.isNaN(moment.getTime()) || moment <= now)
    throw new InvalidArgumentError(
      "Allowed: a time in the future, as ISO 8601 or as a duration such as 90d.",
    );
  return moment;
}
