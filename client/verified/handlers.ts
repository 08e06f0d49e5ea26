import type { LiteCall } from "../../shared/ton/lite/lite-api.js";
import type { Params, Result } from "../registry-types.js";
import type { ProvenMethod } from "./proven-method.js";
import type { ProvenReads } from "./proven-reads.js";

/** Functions that answer methods by proven reads. */
export type Handlers<Name extends ProvenMethod> = {
  readonly [Each in Name]: (
    params: Params<Each>,
    reads: ProvenReads,
    call: LiteCall,
  ) => Promise<Result<Each>>;
};
