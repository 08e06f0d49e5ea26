import { readFile, stat } from "node:fs/promises";

/** The content of a file. Rejects if it is larger, or no ordinary file: pipes and devices may have no end. */
export async function readFileWithin(path: string, maxBytes: number): Promise<Buffer> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error("it is not a file");
  if (found.size > maxBytes) throw new Error(`it has ${found.size} bytes; allowed: at most ${maxBytes}`);
  return readFile(path);
}
