import { NamedError } from "../../shared/values/named-error.js";
import { shortMessageOf } from "../errors.js";
import type { Failure } from "./bridge-types.js";

/** Codes of TON Connect, the same for all of its methods. */
const refusalCodes = {
  failed: 0,
  badRequest: 1,
  notConnected: 100,
  declined: 300,
  notSupported: 400,
} as const;

/** A request that the wallet does not carry out; the page gets code and message. */
export class Refusal extends NamedError {
  static override readonly name = "Refusal";
  readonly code: number;

  constructor(kind: keyof typeof refusalCodes, message: string) {
    super(message);
    this.code = refusalCodes[kind];
  }
}

/** Refuses a malformed or impossible request. */
export function badRequest(message: string): Refusal {
  return new Refusal("badRequest", message);
}

/** A failure in the form that pages get. */
export function refusalOf(error: unknown): Failure {
  if (error instanceof Refusal) return { code: error.code, message: error.message };
  return { code: refusalCodes.failed, message: shortMessageOf(error) };
}
