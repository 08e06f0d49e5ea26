import { inject } from "vitest";
import type { Workshop } from "./workshop.js";

/** Writes the documents of REST of a service into a workshop as `v2.json` and `v3.json`, in a version of OpenAPI. */
export async function writeDocuments(
  { write }: Workshop,
  version: "3.0" | "3.1",
  url = inject("devnet").url,
): Promise<void> {
  for (const api of ["v2", "v3"]) {
    const response = await fetch(`${url}/api/${api}/openapi.json?version=${version}`);
    const text = await response.text();
    const found = (JSON.parse(text) as { openapi: string }).openapi;
    if (!found.startsWith(version)) throw new Error(`the document of ${api} is in OpenAPI ${found}`);
    write(`${api}.json`, text);
  }
}
