/** A unix time in seconds as `2026-01-31T12:00:00Z`. */
export function utcText(utime: number): string {
  return new Date(1000 * utime).toISOString().replace(".000", "");
}

/** The day of a time in milliseconds as `2026-01-31`. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
