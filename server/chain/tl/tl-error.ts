/** Bytes that are not what the schema says, or a value that it has no bytes for. */
export class TlError extends Error {
  override readonly name = "TlError";
}
