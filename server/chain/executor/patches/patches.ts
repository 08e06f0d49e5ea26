// Patches of the emulator's binary, which @ton/sandbox ships without a way to configure it.
import { limitPatches } from "./limit-patches.js";
import type { Patch } from "./patch.js";
import { speedPatches } from "./speed-patches.js";

export const patches: Readonly<Record<PatchName, readonly Patch[]>> = { ...limitPatches, ...speedPatches };
export type PatchName = keyof typeof limitPatches | keyof typeof speedPatches;
