/** A unix time in seconds as `2026-01-31T12:00:00Z`. */
export function utcText(utime: number): string {
  return new Date(1000 * utime).toISOString().replace(".000", "");
}
