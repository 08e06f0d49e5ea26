// Entry of a process that prints the processor time of its first runs, in microseconds.
import { setTimeout as wait } from "node:timers/promises";
import { LoadedConfigs } from "../../../server/chain/executor/emulator/loaded-configs.js";
import type { PatchName } from "../../../server/chain/executor/patches/patches.js";
import { callsOf, patchedInstance, version } from "./patches.js";
import { method, transaction } from "./requests.js";

const [without] = process.argv.slice(2) as (PatchName | "nothing")[];
const calls = callsOf({ transaction, method });
const start = process.cpuUsage();
const configs = new LoadedConfigs(await patchedInstance(without === "nothing" ? [] : [without!]), version);
for (let run = 0; run < 300; run++) for (const { call, config } of calls) configs.execute(call, () => config);
// Until the engine's threads have optimized the code of these runs.
await wait(1500);
const { user, system } = process.cpuUsage(start);
console.log(user + system);
