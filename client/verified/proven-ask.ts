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

/** Calls a method of the services, whose answer is a claim: what follows from it must be proven. */
export type AskClaim = (name: string, params: object, call: LiteCall) => Promise<unknown>;

/** The members of a verified client by which other entries of the package ask. */
export const provenAsk: unique symbol = Symbol("proven");
export const askClaim: unique symbol = Symbol("claim");

export type AskingClient = { readonly [provenAsk]: ProvenAsk; readonly [askClaim]: AskClaim };
