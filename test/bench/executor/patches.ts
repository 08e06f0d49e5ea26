// The saving of each patch for speed: the emulator with all patches beside the same without one, in processor time.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  accountCall,
  CellTexts,
  type EmulatorCall,
  methodCall,
} from "../../../server/chain/executor/calls.js";
import type { CompiledEmulator } from "../../../server/chain/executor/emulator/emscripten.js";
import type { EmulatorInstance } from "../../../server/chain/executor/emulator/emulator-instance.js";
import { LoadedConfigs } from "../../../server/chain/executor/emulator/loaded-configs.js";
import { withMemoryLimit } from "../../../server/chain/executor/emulator/memory-limit.js";
import { PlainEmulator } from "../../../server/chain/executor/emulator/plain-emulator.js";
import { PatchedEmulator } from "../../../server/chain/executor/patches/patched-emulator.js";
import type { PatchName } from "../../../server/chain/executor/patches/patches.js";
import { speedPatches } from "../../../server/chain/executor/patches/speed-patches.js";
import { readBuild } from "../../../server/chain/executor/patches/wasm-build.js";
import { patchEmulator } from "../../../server/chain/executor/patches/wasm-patch.js";
import { webAssembly } from "../../../server/os/web-assembly.js";
import type { TransactionRequest } from "../../../shared/ton/run/account-request.js";
import type { MethodRequest } from "../../../shared/ton/run/method-request.js";
import { sized } from "../../helpers/effort.js";
import type { Row, Spent } from "../harness.js";

type Requests = { transaction: TransactionRequest; method: MethodRequest };
type Made = { title: string; instance: EmulatorInstance };

/** Runs of each measurement. */
const runs = sized(1, 16);

export async function patchRows(requests: Requests): Promise<Row[]> {
  const calls = callsOf(requests);
  const patched = await patchedInstance();
  const others: Made[] = [];
  for (const patch of Object.keys(speedPatches) as PatchName[])
    if (patch !== "operations") others.push({ title: patch, instance: await patchedInstance([patch]) });
  others.push({ title: "invokers", instance: await patchedInstance([], false) });
  others.push({ title: "all patches", instance: await plainInstance() });
  const rows = others.flatMap(({ title, instance }) =>
    calls.map(
      ({ kind, call, config }): Row => ({
        title: `${kind}, beside one without ${title}`,
        ours: runner(patched, call, config),
        baseline: runner(instance, call, config),
      }),
    ),
  );
  return [
    ...rows,
    {
      title: "first 300 runs of a new process, beside one without operations",
      ours: () => firstRuns("nothing"),
      baseline: () => firstRuns("operations"),
    },
  ];
}

type Call = { kind: string; call: EmulatorCall; config: string };

export function callsOf({ transaction, method }: Requests): Call[] {
  const texts = new CellTexts();
  return [
    {
      kind: "transaction",
      call: accountCall(transaction, texts),
      config: texts.ofConfig(transaction.config),
    },
    { kind: "get-method", call: methodCall(method, texts), config: texts.ofConfig(method.config) },
  ];
}

export async function patchedInstance(
  without: PatchName[] = [],
  hasInvokers = true,
): Promise<EmulatorInstance> {
  const { bytes, gluePath } = readBuild();
  const compiled = await webAssembly.compile<CompiledEmulator>(patchEmulator(bytes, without));
  return PatchedEmulator.create(compiled, gluePath, { hasInvokers });
}

async function plainInstance(): Promise<EmulatorInstance> {
  const { bytes, gluePath } = readBuild();
  return PlainEmulator.create(await webAssembly.compile<CompiledEmulator>(withMemoryLimit(bytes)), gluePath);
}

export const version = 13;

function runner(instance: EmulatorInstance, call: EmulatorCall, config: string): () => Spent {
  const configs = new LoadedConfigs(instance, version);
  return () => inProcessorTime(runs, () => void configs.execute(call, () => config));
}

/** In a separate process: an engine caches the compiled code of a module for others of the same bytes. */
function firstRuns(without: PatchName | "nothing"): Spent {
  const entry = fileURLToPath(new URL("first-runs.ts", import.meta.url));
  const told = execFileSync(process.execPath, ["--import", "tsx", entry, without], { encoding: "utf8" });
  return { units: 1, micros: Number(told) };
}

function inProcessorTime(units: number, run: () => void): Spent {
  const start = process.cpuUsage();
  for (let unit = 0; unit < units; unit++) run();
  return { units, micros: spentSince(start) };
}

function spentSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
