import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { context } from "esbuild";
import type { TestProject } from "vitest/node";
import { bundleOptions } from "../.ci/bundle-options.mjs";

const top = fileURLToPath(new URL("..", import.meta.url));

/** Entries of threads and processes; their names are all different. */
function entryPoints(): Record<string, string> {
  const threads = readdirSync(join(top, "server"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("-worker.ts"))
    .map((path) => join("server", path));
  const programs = [
    "server/main.ts",
    "test/devnet/storage/killed-writer.ts",
    "test/indexer/killed-indexer.ts",
    "test/os/channel/asked-thread.ts",
    "test/os/computing-thread.ts",
    "test/os/hold-lock.ts",
    "test/store/slots/frozen-merger.ts",
  ];
  return Object.fromEntries(
    [...threads, ...programs].map((path) => [basename(path, ".ts"), join(top, path)]),
  );
}

/**
 * Compiles the entries once for all tests. A thread that compiled its TypeScript itself would start a second thread for
 * it, and each would take a second of processor time.
 */
export default async function compileEntries(project: TestProject): Promise<() => Promise<void>> {
  // Packages are found from here.
  const dist = join(top, "dist");
  mkdirSync(dist, { recursive: true });
  const folder = mkdtempSync(join(dist, "test-entries-"));
  // Tests run programs as other users too.
  chmodSync(folder, 0o755);
  const compiler = await context({
    ...bundleOptions((path) => JSON.stringify(pathToFileURL(path).href)),
    entryPoints: entryPoints(),
    outdir: folder,
  });
  await compiler.rebuild();
  project.onTestsRerun(async () => void (await compiler.rebuild()));
  process.env["TONWIRE_TEST_ENTRIES"] = folder;
  return async () => {
    await compiler.dispose();
    rmSync(folder, { recursive: true, force: true });
  };
}
