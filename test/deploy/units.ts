import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folder, textOf } from "../helpers/deploy/deployed-files.js";
import { folderInRun } from "../helpers/once-per-run.js";

type Directive = [name: string, value: string];

/** The units of the folder; of each template an instance. */
export const unitNames = readdirSync(join(folder, "systemd"))
  .filter((name) => name.endsWith(".service"))
  .map((name) => name.replace("@.", "@8081."));

/** Directives of a unit, including shared ones, with its instance in the place of `%i`. */
export function directivesOf(unit: string): Directive[] {
  const [, instance = ""] = /@(.*)\.service$/.exec(unit) ?? [];
  const template = unit.replace(`@${instance}.`, "@.");
  const text = textOf(`systemd/${template}`) + textOf("systemd/tonwire-.service.d/common.conf");
  return text
    .replaceAll("%i", instance)
    .split("\n")
    .filter((line) => line !== "" && !/^[#[]/.test(line))
    .map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)];
    });
}

export const valuesOf = (unit: string, name: string): string[] =>
  directivesOf(unit)
    .filter(([each]) => each === name)
    .map(([, value]) => value);

/** Variables that a unit sets itself. */
export const environmentOf = (unit: string): Record<string, string> =>
  Object.fromEntries(valuesOf(unit, "Environment").flatMap((each) => each.split(" ").map(nameAndValue)));

function nameAndValue(assignment: string): [string, string] {
  const at = assignment.indexOf("=");
  return [assignment.slice(0, at), assignment.slice(at + 1)];
}

/** A folder in which the units are installed as on a machine: with the units of systemd, and the programs that they run. */
export function installedUnits(): string {
  const root = folderInRun("tonwire-systemd-");
  cpSync("/lib/systemd/system", join(root, "lib/systemd/system"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  cpSync(join(folder, "systemd"), join(root, "etc/systemd/system"), { recursive: true });
  for (const program of ["opt/tonwire/current/node_modules/.bin/tonwire", "bin/kill"]) {
    const path = join(root, program);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "#!/bin/sh\n");
    chmodSync(path, 0o755);
  }
  return root;
}
