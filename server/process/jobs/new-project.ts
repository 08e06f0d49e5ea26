import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { SetupError } from "../../errors.js";
import { packageFolder } from "../../os/package-files.js";
import { installedAs } from "./installed-as.js";

/** Files that the template of a page has too. */
const shared = [
  "compile.mjs",
  "src/counter.tolk",
  "src/counter.ts",
  "src/counter-code.ts",
  "test/counter.test.ts",
];
const own = ["README.md", "tsconfig.json", "scripts/deploy.ts"];

/** Writes the project of a template into a folder that is new or empty; returns its path. */
export async function writeProject(template: string, given: string): Promise<string> {
  const folder = resolve(given);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new SetupError(`${folder} is not empty: name a new folder, tonwire new ${template} FOLDER`);
  const examples = join(packageFolder(), "client", "examples");
  for (const path of shared) await copy(join(examples, "vite"), path, folder);
  for (const path of own) await copy(join(examples, template), path, folder);
  const manifest = JSON.parse(await readFile(join(examples, template, "package.json"), "utf8"));
  const { dependencies, devDependencies } = manifest;
  const { tonwire, "tonwire-server": server } = installedAs(packageFolder());
  const { "tonwire-server": _, ...otherTools } = devDependencies;
  const project = {
    ...manifest,
    name: packageName(basename(folder)) ?? manifest.name,
    dependencies: { ...dependencies, tonwire },
    // A checkout has both in one.
    devDependencies: sorted({ ...otherTools, ...(server !== undefined && { "tonwire-server": server }) }),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(project, null, 2)}\n`, { flag: "wx" });
  await writeFile(join(folder, ".gitignore"), "node_modules/\n", { flag: "wx" });
  return folder;
}

async function copy(from: string, path: string, folder: string): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  await cp(join(from, path), target, { errorOnExist: true, force: false });
}

/** The name of a folder as that of a package, if npm takes it. */
function packageName(name: string): string | undefined {
  const lower = name.toLowerCase();
  return /^[a-z0-9][a-z0-9._-]{0,200}$/.test(lower) ? lower : undefined;
}

function sorted(members: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
