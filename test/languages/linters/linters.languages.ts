import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { writeDocuments } from "../harness/documents.js";
import { useNpm } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";

// Linters of OpenAPI with the rules that they recommend.

const rules = fileURLToPath(new URL("spectral.yaml", import.meta.url));

describeTool(
  `redocly ${versions.npm["@redocly/cli"]}, spectral ${versions.npm["@stoplight/spectral-cli"]}`,
  ["npm"],
  (workshop) => {
    it.each(["3.1", "3.0"] as const)("find nothing in the documents in OpenAPI %s", async (version) => {
      await useNpm(workshop, "@redocly/cli", "@stoplight/spectral-cli");
      await writeDocuments(workshop, version);
      workshop.copy(rules);
      for (const file of ["v2.json", "v3.json"]) {
        const redocly = ["redocly", "lint", file, "--extends", "recommended", "--format", "json"];
        const found = await workshop.run("npx", ["--no-install", ...redocly], {
          REDOCLY_TELEMETRY: "off",
        });
        expect([file, JSON.parse(found)]).toMatchObject([file, { problems: [] }]);
        const spectral = ["spectral", "lint", file, "--ruleset", "spectral.yaml", "--fail-severity", "hint"];
        await workshop.run("npx", ["--no-install", ...spectral]);
      }
    });
  },
);
