import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { vendored } from "../../../server/os/package-files.js";

/** A section that engines ignore: without a name, with one byte. */
const customSection = [0, 2, 0, 7];

/**
 * The path of a build that is not known to the patches: the one of the package, with a few more bytes at its end. Called when
 * tests are collected; it is gone after them.
 */
export function unknownBuild(): string {
  const folder = mkdtempSync(join(tmpdir(), "tonwire-build-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "other.wasm");
  const shipped = readFileSync(vendored("emulator/emulator.wasm"));
  writeFileSync(path, Buffer.concat([shipped, Buffer.from(customSection)]));
  copyFileSync(vendored("emulator/emulator.cjs"), join(folder, "other.cjs"));
  return path;
}
