import { readFileSync } from "node:fs";
import { join } from "node:path";
import { versions } from "../versions.js";
import type { Workshop } from "./workshop.js";

// The set-up of each language for packages in a workshop; it does nothing if repeated.

/** Makes the folder a Go module; the programs' imports decide which of the modules are used. */
export async function useGo(
  { write, run }: Workshop,
  ...modules: (keyof typeof versions.go)[]
): Promise<void> {
  const lines = modules.map((name) => `require ${name} ${versions.go[name]}`);
  write("go.mod", ["module languages", "go 1.24", ...lines, ""].join("\n"));
  await run("go", ["mod", "tidy"]);
}

/** Makes the folder a package of Rust with a program in `main.rs`; `features` are those of each crate. */
export function useCargo(
  { write }: Workshop,
  name: string,
  crates: Partial<Record<keyof typeof versions.crates, readonly string[]>>,
): void {
  const dependencies = Object.entries(crates).map(
    ([crate, features]) =>
      `${crate} = { version = "${versions.crates[crate as keyof typeof crates]}", features = ${JSON.stringify(features)} }`,
  );
  const head = ["[package]", `name = "${name}"`, 'version = "0.1.0"', 'edition = "2024"'];
  const binary = ["[[bin]]", `name = "${name}"`, 'path = "main.rs"'];
  write("Cargo.toml", [...head, ...binary, "[dependencies]", ...dependencies, ""].join("\n"));
}

/** Makes a virtual environment in `venv` with packages. */
export async function usePython({ run }: Workshop, ...names: (keyof typeof versions.pypi)[]): Promise<void> {
  await run("python3", ["-m", "venv", "venv"]);
  const packages = names.map((name) => `${name}==${versions.pypi[name]}`);
  await run("venv/bin/pip", ["install", "--quiet", "--disable-pip-version-check", ...packages]);
}

type NpmPackage = keyof typeof versions.npm;

/** Makes the folder an npm package that has others installed, with files that are modules of JavaScript. */
export function useNpm(workshop: Workshop, ...names: NpmPackage[]): Promise<void> {
  return installNpm(workshop, "module", names);
}

/** As `useNpm`, with files in the form of CommonJS. */
export function useCommonJs(workshop: Workshop, ...names: NpmPackage[]): Promise<void> {
  return installNpm(workshop, "commonjs", names);
}

async function installNpm({ write, run }: Workshop, type: string, names: readonly NpmPackage[]) {
  const dependencies = Object.fromEntries(names.map((name) => [name, versions.npm[name]]));
  write("package.json", JSON.stringify({ private: true, type, dependencies }));
  await run("npm", ["install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"]);
}

/** Fetches packages of Maven and all that they need; resolves with the class path. */
export async function useMaven(
  { folder, write, run }: Workshop,
  ...names: (keyof typeof versions.maven)[]
): Promise<string> {
  const dependencies = names.map((name) => {
    const [group, artifact] = name.split(":");
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${versions.maven[name]}</version></dependency>`;
  });
  const head =
    "<modelVersion>4.0.0</modelVersion><groupId>languages</groupId><artifactId>languages</artifactId>";
  write(
    "pom.xml",
    `<project>${head}<version>1</version><dependencies>${dependencies.join("")}</dependencies></project>`,
  );
  const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
  await run("mvn", ["-q", "-B", goal, "-Dmdep.outputFile=classpath"]);
  return readFileSync(join(folder, "classpath"), "utf8");
}
