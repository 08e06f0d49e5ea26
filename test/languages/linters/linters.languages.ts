import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { writeDocuments } from "../harness/documents.js";
import { useNpm } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";

// Linters of OpenAPI with the rules that they recommend.

const rules = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Options for each version; the rulesets of spectral have the reason for each disabled rule. */
const options = {
  "3.1": { redocly: [], spectral: "spectral.yaml" },
  "3.0": {
    redocly: [
      // As `oas3-valid-media-example` of spectral.
      ...["--skip-rule", "no-invalid-media-type-examples"],
      // openapi-python-client takes a record that may be null for one that may not if it has a type beside `allOf`.
      ...["--skip-rule", "nullable-type-sibling"],
    ],
    spectral: "spectral-3.0.yaml",
  },
} as const;

describeTool(
  `redocly ${versions.npm["@redocly/cli"]}, spectral ${versions.npm["@stoplight/spectral-cli"]}`,
  ["npm"],
  (workshop) => {
    it.each(["3.1", "3.0"] as const)("find nothing in the documents in OpenAPI %s", async (version) => {
      await useNpm(workshop, "@redocly/cli", "@stoplight/spectral-cli");
      await writeDocuments(workshop, version);
      const { redocly: skipped, spectral: ruleset } = options[version];
      for (const name of ["spectral.yaml", "spectral-3.0.yaml"]) workshop.copy(rules(name));
      for (const file of ["v2.json", "v3.json"]) {
        const redocly = ["redocly", "lint", file, "--extends", "recommended", "--format", "json", ...skipped];
        const found = await workshop.run("npx", ["--no-install", ...redocly], {
          REDOCLY_TELEMETRY: "off",
        });
        expect([file, JSON.parse(found)]).toMatchObject([file, { problems: [] }]);
        const spectral = ["spectral", "lint", file, "--ruleset", ruleset, "--fail-severity", "hint"];
        await workshop.run("npx", ["--no-install", ...spectral]);
      }
    });
  },
);
