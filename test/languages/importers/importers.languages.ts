import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { startService } from "../../helpers/services/service.js";
import { writeDocuments } from "../harness/documents.js";
import { useNpm } from "../harness/packages.js";
import { describeTool, type Workshop } from "../harness/workshop.js";
import { versions } from "../versions.js";
import { hostOf, operationOf, send } from "./collections.js";
import { importers } from "./importers.js";

// Collections that API clients import from both documents of REST.

/** A request of each document, as it is imported. */
const requests = { v2: "GET /api/v2/getMasterchainInfo", v3: "GET /api/v3/transactions" } as const;
const apis = ["v2", "v3"] as const;

for (const { client, tool, keys, withoutHost, collect } of importers)
  describeTool(`${client}: ${tool} ${versions.npm[tool]}`, ["npm"], (workshop) => {
    it.each(["3.1", "3.0"] as const)(
      "imports all operations with the host of the public URL, and what it sends is answered (OpenAPI %s)",
      async (version) => {
        await useNpm(workshop, tool);
        const { url, key } = inject("devnet");
        // A service whose documents name the devnet that is called.
        const service = await startService({ publicUrl: url });
        await writeDocuments(workshop, version, service.url).finally(() => service.close());
        const own = Object.fromEntries(keys.map((name) => [name, key]));
        for (const api of apis) {
          const collection = await collect(workshop, `${api}.json`);
          expect(collection.requests.map(operationOf).sort()).toEqual(operationsOf(workshop, api));
          expect(hostOf(collection)).toBe(url);
          expect(await send(collection, requests[api], own)).toBe(200);
        }
      },
    );

    it("leaves the host to the user if the service has no public URL", async () => {
      await useNpm(workshop, tool);
      await writeDocuments(workshop, "3.0");
      for (const api of apis) {
        const collection = await collect(workshop, `${api}.json`);
        expect(collection.requests.map(operationOf).sort()).toEqual(operationsOf(workshop, api));
        expect(hostOf(collection)).toBe(withoutHost);
      }
    });
  });

/** Method and path of each operation of a document in the workshop. */
function operationsOf({ folder }: Workshop, api: string): string[] {
  type Document = { readonly paths: Readonly<Record<string, object>> };
  const { paths } = JSON.parse(readFileSync(join(folder, `${api}.json`), "utf8")) as Document;
  return Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    .sort();
}
