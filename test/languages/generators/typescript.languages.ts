import { it } from "vitest";
import { writeDocuments } from "../harness/documents.js";
import { expectNineAnswers, nineCalls } from "../harness/nine-calls.js";
import { useNpm } from "../harness/packages.js";
import { describeTool, type Workshop } from "../harness/workshop.js";
import { versions } from "../versions.js";
import { apis, does, sourceOf, strictTypeScript } from "./shared.js";

// Clients that generators in TypeScript make of both REST documents, compiled under strict settings.

/** Each tool of TypeScript: its packages, how it makes the client of an API, and the program that calls them. */
const ofTypeScript: readonly {
  readonly tool: keyof typeof versions.npm;
  readonly others: readonly (keyof typeof versions.npm)[];
  readonly program: string;
  make(workshop: Workshop, api: string): Promise<unknown>;
}[] = [
  {
    tool: "openapi-typescript",
    others: ["openapi-fetch"],
    program: "openapi_fetch_calls.ts",
    make: ({ run }, api) =>
      run("npx", ["--no-install", "openapi-typescript", `${api}.json`, "-o", `${api}.ts`]),
  },
  {
    tool: "@hey-api/openapi-ts",
    others: [],
    program: "hey_api_calls.ts",
    make({ run }, api) {
      const args = ["-i", `${api}.json`, "-o", `hey/${api}`, "-c", "@hey-api/client-fetch"];
      return run("npx", ["--no-install", "openapi-ts", ...args]);
    },
  },
  {
    tool: "orval",
    others: [],
    program: "orval_calls.ts",
    make({ write, run }, api) {
      const output = {
        target: `orval/${api}.ts`,
        client: "fetch",
        baseUrl: { runtime: 'process.env["TON_URL"]' },
      };
      const config = JSON.stringify({ [api]: { input: `${api}.json`, output } });
      write(`${api}.config.mjs`, `export default ${config};\n`);
      return run("npx", ["--no-install", "orval", "--config", `${api}.config.mjs`]);
    },
  },
];

for (const { tool, others, program, make } of ofTypeScript)
  describeTool(`${tool} ${versions.npm[tool]}`, ["npm"], (workshop) => {
    it(does, async () => {
      await useNpm(workshop, tool, ...others, "typescript", "@types/node");
      await writeDocuments(workshop, "3.0");
      workshop.write(
        "tsconfig.json",
        JSON.stringify({ compilerOptions: strictTypeScript, files: ["calls.ts"] }),
      );
      for (const api of apis) await make(workshop, api);
      workshop.copy(sourceOf(program), "calls.ts");
      await workshop.run("npx", ["--no-install", "tsc"]);
      await expectNineAnswers(await workshop.run("node", ["out/calls.js"], await nineCalls()));
    });
  });
