import { statSync } from "node:fs";
import { unlessRefused } from "./unless-refused.js";

/** A fingerprint of a file's metadata; `undefined` if the file cannot be accessed: reading it reports why. */
export function fileState(path: string): string | undefined {
  return unlessRefused(() => {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  });
}
