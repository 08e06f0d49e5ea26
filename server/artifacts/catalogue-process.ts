import { fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { processEntry } from "../os/worker.js";
import type { Artifact } from "./artifact.js";
import { artifactsOf, type ListedContract } from "./catalogue.js";

/** The only message of the process. */
export type ReadCatalogue =
  | { readonly listed: ListedContract[]; readonly revision: string }
  | { readonly failure: string };

/**
 * The contracts of the catalogue in a file, and the SHA-256 of it in hex. A process of its own reads it: the text and its
 * JSON take many times the memory of what is kept, of which Node would keep most after a thread, too. It leaves the processors
 * to the start of the service, which does not wait for it.
 */
export async function readCatalogueFile(
  path: string,
  signal?: AbortSignal,
): Promise<{ contracts: Artifact[]; revision: string }> {
  const { exec, execArgv } = processEntry(import.meta.url, "catalogue-worker");
  const child = fork(exec, [path], {
    serialization: "advanced",
    execArgv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    ...(signal && { signal }),
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const ended = new Promise((resolve) => child.once("close", resolve));
  const read = await new Promise<ReadCatalogue>((resolve, reject) => {
    child.once("message", (message) => resolve(message as ReadCatalogue));
    child.once("error", reject);
    child.once("disconnect", () => reject(new Error("the process that reads it has ended")));
  }).finally(() => ended);
  if ("failure" in read) throw new Error(read.failure);
  return { contracts: artifactsOf(read.listed), revision: read.revision };
}
