import { join } from "node:path";
import { SetupError } from "../../errors.js";
import { readFileWithin } from "../../os/read-file-within.js";

/** Where the files of a snapshot are read from. */
export interface SnapshotSource {
  /** Its folder or URL, for the operator. */
  readonly place: string;
  /** A file of at most so many bytes. Throws `SetupError` if it is larger or missing. */
  read(name: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
}

/** A folder of this machine. */
export function folderSource(place: string): SnapshotSource {
  return {
    place,
    async read(name, maxBytes) {
      const path = join(place, name);
      try {
        return await readFileWithin(path, maxBytes);
      } catch (error) {
        throw new SetupError(`${path} cannot be read: ${(error as Error).message}`);
      }
    },
  };
}
