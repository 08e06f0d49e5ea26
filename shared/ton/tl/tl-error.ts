import { NamedError } from "../../values/named-error.js";

/** The bytes do not match the schema, or a value cannot be encoded. */
export class TlError extends NamedError {
  static override readonly name: string = "TlError";
}
