// capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion;
import type { Decoded } from "./codec.js";
import { uint32, uint64 } from "./primitives.js";
import { record } from "./record.js";

export type GlobalVersion = Decoded<typeof GlobalVersion>;
export const GlobalVersion = record("capabilities#c4", { version: uint32, capabilities: uint64 });
