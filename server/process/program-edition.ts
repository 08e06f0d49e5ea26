import { editionOf } from "../os/edition.js";

/** Names the code of the built program. */
export function programEdition(): string {
  return editionOf(new URL("../main.js", import.meta.url).href);
}
