import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { expect } from "vitest";
import { examplesIn } from "../readmes.js";
import { postgresProgram, unprivileged } from "./postgres.js";

const file = "server/scale/README.md";

const titleOf = (code: string) => /^(?:#|--) (.+)\n/.exec(code)?.[1];
const scripts = ["sh", "sql"].flatMap((language) => examplesIn(file, language));

/** The titles of the scripts of the recovery chapter: their first lines. */
export const recoveryTitles: readonly string[] = scripts.flatMap((code) => titleOf(code) ?? []);

/** The script of the recovery chapter with this title. */
export function recoveryScript(title: string): string {
  const found = scripts.find((code) => titleOf(code) === title);
  expect(found, title).toBeDefined();
  return found!;
}

/** The settings of the recovery chapter for the archive of the log. */
export const archiveSettings = (): string =>
  examplesIn(file, "ini").find((code) => code.startsWith("archive_mode"))!;

type Run = {
  /** What the script has, and what the test has in its place. */
  places?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  cwd?: string;
};

/** Runs a script as the user of the server, in places of the test. */
export async function runScript(script: string, { places = {}, env = {}, cwd = "/" }: Run): Promise<void> {
  const text = Object.entries(places).reduce((all, [from, to]) => all.replaceAll(from, to), script);
  const shell = spawn("sh", ["-e", "-c", text], {
    ...unprivileged(),
    cwd,
    env: { PATH: `${dirname(postgresProgram("psql"))}:${process.env["PATH"]}`, ...env },
    // A server that a command starts goes on, and would keep a pipe open.
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(shell, "exit");
  expect(code, text).toBe(0);
}
