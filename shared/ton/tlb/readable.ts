import { CellError } from "../cells/cell-error.js";
import { TlbError } from "./codec.js";

/** The result of reading untrusted cells; `undefined` if they are malformed. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError || error instanceof TlbError) return undefined;
    throw error;
  }
}
