import type { LiteCall } from "../../shared/ton/lite/lite-api.js";
import type { CallOptions } from "../call-options.js";
import type { ProvenReads } from "./proven-reads.js";

/** Does work on what is proven, with the deadline, the signal and the errors of a call of this name with these parameters. */
export type ProvenAsk = <T>(
  name: string,
  options: CallOptions,
  work: (reads: ProvenReads, call: LiteCall) => Promise<T>,
  params?: object,
) => Promise<T>;

/** The member of a verified client by which other entries of the package ask. */
export const provenAsk: unique symbol = Symbol("proven");

export type AskingClient = { readonly [provenAsk]: ProvenAsk };
