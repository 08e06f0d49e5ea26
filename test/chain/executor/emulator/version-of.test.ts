import { expect, it } from "vitest";
import type { EmulatorInstance } from "../../../../server/chain/executor/emulator/emulator-instance.js";
import { versionOf } from "../../../../server/chain/executor/emulator/version-of.js";
import { createInstance, emulatorSource } from "../../../../server/chain/executor/patches/emulator-source.js";
import { readBuild } from "../../../../server/chain/executor/patches/wasm-build.js";
import { newestVersion } from "../../../../shared/ton/run/versions.js";
import { unknownBuild } from "../../../helpers/chain/unknown-build.js";

const wasm = unknownBuild();

/** The build of the package, with other transactions or get-methods. */
async function changed(
  change: Partial<ReturnType<EmulatorInstance["loadConfig"]>>,
): Promise<EmulatorInstance> {
  const instance = await createInstance(await emulatorSource());
  return { loadConfig: (text) => ({ ...instance.loadConfig(text), ...change }) };
}

it("A build shows which rules it knows, patched or not", async () => {
  const known = readBuild().known!.version;
  const patched = await emulatorSource();
  expect([patched.version, patched.isPatched]).toEqual([known, true]);
  expect(versionOf(await createInstance(patched))).toBe(known);
  const plain = await emulatorSource(wasm);
  expect([plain.version, plain.isPatched]).toEqual([known, false]);
});

it("A build that reads every form of the limits of messages knows the newest version of the table", async () => {
  const output = { success: true, transaction: "", shard_account: "", actions: null, vm_log: "" } as const;
  const createEmulator = () => ({ run: () => ({ output }), free() {} });
  expect(versionOf(await changed({ createEmulator }))).toBe(newestVersion);
});

it("A build that has no instructions of version 12 is of version 11", async () => {
  const output = { success: true, stack: "te6ccgEBAQEABQAABgAAAA==", gas_used: "1", vm_log: "" } as const;
  let runs = 0;
  const openContract = () => ({
    // Only the simplest contract succeeds.
    runMethod: () => ({ output: { ...output, vm_exit_code: runs++ === 0 ? 0 : 6, missing_library: null } }),
    free() {},
  });
  expect(versionOf(await changed({ openContract }))).toBe(11);
});

it("A build that runs nothing is refused", async () => {
  expect(await changed({ openContract: () => undefined }).then((build) => () => versionOf(build))).toThrow(
    "it does not run contracts",
  );
});
