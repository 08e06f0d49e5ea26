// Entry of the process that reads a catalogue.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { listedInText } from "./catalogue.js";
import type { ReadCatalogue } from "./catalogue-process.js";

const maxBytes = 64 << 20;

async function read(path: string): Promise<ReadCatalogue> {
  const bytes = await readFile(path);
  if (bytes.length > maxBytes) throw new Error("more than 64 MiB");
  const revision = createHash("sha256").update(bytes).digest("hex");
  return { listed: listedInText(path, bytes), revision };
}

// The service has ended, or does not want the catalogue any more.
process.once("disconnect", () => process.exit());
const result = await read(process.argv[2]!).catch(({ message }: Error) => ({ failure: message }));
process.send!(result, () => process.disconnect());
