import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pack, packages, stage } from "../../../.ci/packages.mjs";

const top = fileURLToPath(new URL("../../..", import.meta.url));
const execute = promisify(execFile);

/** Our own packages. */
type PackageName = keyof typeof packages;

/** Installs one of our packages without a network: packs it, and unpacks it into the folder `installed`. Returns its folder there. */
export async function installPackage(name: PackageName, installed: string, scratch: string): Promise<string> {
  const staged = join(scratch, name);
  stage(name, staged);
  const { tarball } = pack(staged, scratch);
  const target = join(installed, name);
  mkdirSync(target, { recursive: true });
  await execute("tar", ["-xzf", tarball, "-C", target, "--strip-components", "1"]);
  return target;
}

/** The packages of others that one of ours needs. */
export function dependenciesOf(name: PackageName): string[] {
  return Object.keys(packages[name].manifest.dependencies);
}

/** Links a package of others from here, unless it is installed. */
export function linkPackage(name: string, installed: string): void {
  const target = join(installed, name);
  if (existsSync(target)) return;
  const source = join(top, "node_modules", name);
  if (!existsSync(source)) throw new Error(`${name} is not among the packages of this project`);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(source, target, "junction");
}
