import { NamedError } from "../../values/named-error.js";

/** An ABI is malformed or exceeds a limit, or a value does not have the type that the ABI states. */
export class AbiError extends NamedError {
  static override readonly name = "AbiError";
}
