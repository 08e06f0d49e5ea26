/** The bytes do not match the schema, or a value cannot be encoded. */
export class TlError extends Error {
  override readonly name = "TlError";
}
