/** Levels that a line names; ordinary lines do not. */
const levels: Readonly<Record<number, string>> = { 40: "WARNING", 50: "ERROR", 60: "FATAL" };

type Line = {
  level: number;
  severity?: string;
  time: string;
  msg?: string;
  err?: { message?: string; stack?: string };
} & Readonly<Record<string, unknown>>;

/** A line of the log, as JSON, in the form for people: time, message, members, and below it the stack of an error. */
export function prettyLine(json: string): string {
  const { level, severity: _, time, msg = "", err, ...members } = JSON.parse(json) as Line;
  const head = [time.slice(11, 23), levels[level], msg].filter((part) => part !== undefined && part !== "");
  const shown = Object.entries(members).map(([name, value]) => memberText(name, value));
  const trace = err === undefined ? [] : (err.stack ?? err.message ?? "").split("\n");
  const lines = [[...head, ...shown].join("  "), ...trace.map((each) => `    ${each.trim()}`)];
  return `${lines.map(printable).join("\n")}\n`;
}

/** Members that readers recognise by their values are printed without their names. */
function memberText(name: string, value: unknown): string {
  if (name === "method" || name === "code") return String(value);
  if (name === "durationMs") return `${Math.round(Number(value))} ms`;
  return `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Texts of servers and of contracts must not control the terminal. */
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, "\ufffd");
}
