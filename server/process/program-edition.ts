import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { editionOf } from "../os/edition.js";

/** Names the code of the program; undefined if it was not built. */
export function programEdition(): string | undefined {
  const main = new URL("../main.js", import.meta.url);
  return existsSync(fileURLToPath(main)) ? editionOf(main.href) : undefined;
}
