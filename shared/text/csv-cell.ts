/**
 * A cell of CSV. Spreadsheets take text that begins with one of these as a formula; an apostrophe keeps it text. Numbers below
 * zero stay numbers.
 */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
