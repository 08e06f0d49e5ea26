import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { writeDocuments } from "../harness/documents.js";
import { expectNineAnswers, nineCalls } from "../harness/nine-calls.js";
import { useGo, useNpm, usePython } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";

// Clients that generators make of both documents of REST, compiled under strict settings.

const does = "makes clients that compile, and nine calls by them";
const apis = ["v2", "v3"] as const;
const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describeTool(`openapi-python-client ${versions.pypi["openapi-python-client"]}`, ["python3"], (workshop) => {
  it(does, async () => {
    await usePython(workshop, "openapi-python-client", "mypy");
    await writeDocuments(workshop, "3.0");
    for (const api of apis) {
      const args = [
        "generate",
        "--overwrite",
        "--meta",
        "none",
        "--path",
        `${api}.json`,
        "--output-path",
        api,
      ];
      await workshop.run("venv/bin/openapi-python-client", args);
    }
    workshop.copy(sourceOf("openapi_python_client.py"), "calls.py");
    await workshop.run("venv/bin/mypy", ["--strict", "calls.py"]);
    await expectNineAnswers(await workshop.run("venv/bin/python", ["calls.py"], await nineCalls()));
  });
});

const oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2";

describeTool(`oapi-codegen ${versions.go[oapiCodegen]}`, ["go"], (workshop) => {
  it(does, async () => {
    await writeDocuments(workshop, "3.0");
    const command = `${oapiCodegen}/cmd/oapi-codegen@${versions.go[oapiCodegen]}`;
    for (const api of apis) {
      workshop.write(`${api}/package.go`, `package ${api}\n`);
      const args = ["-generate", "types,client", "-package", api, "-o", `${api}/client.go`, `${api}.json`];
      await workshop.run("go", ["run", command, ...args]);
    }
    workshop.copy(sourceOf("oapi_codegen.go"), "main.go");
    await useGo(workshop, "github.com/oapi-codegen/runtime");
    await workshop.run("go", ["vet", "./..."]);
    await expectNineAnswers(await workshop.run("go", ["run", "."], await nineCalls()));
  });
});

const strict = [
  "--strict",
  "--noUncheckedIndexedAccess",
  "--target",
  "es2022",
  "--lib",
  "es2023,dom,dom.iterable",
];

describeTool(`openapi-typescript ${versions.npm["openapi-typescript"]}`, ["npm"], (workshop) => {
  it(does, async () => {
    await useNpm(workshop, "openapi-typescript", "openapi-fetch", "typescript", "@types/node");
    await writeDocuments(workshop, "3.0");
    for (const api of apis)
      await workshop.run("npx", ["--no-install", "openapi-typescript", `${api}.json`, "-o", `${api}.ts`]);
    workshop.copy(sourceOf("typescript_calls.ts"), "calls.ts");
    const modules = ["--module", "nodenext", "--types", "node"];
    await workshop.run("npx", ["--no-install", "tsc", ...strict, ...modules, "calls.ts"]);
    await expectNineAnswers(await workshop.run("node", ["calls.js"], await nineCalls()));
  });
});

describeTool(
  `hey-api ${versions.npm["@hey-api/openapi-ts"]}, orval ${versions.npm.orval}`,
  ["npm"],
  (workshop) => {
    it("make clients that compile", async () => {
      await useNpm(workshop, "@hey-api/openapi-ts", "orval", "typescript", "@types/node");
      await writeDocuments(workshop, "3.0");
      for (const api of apis) {
        const hey = ["-i", `${api}.json`, "-o", `hey/${api}`, "-c", "@hey-api/client-fetch"];
        await workshop.run("npx", ["--no-install", "openapi-ts", ...hey]);
        const orval = ["--input", `${api}.json`, "--output", `orval/${api}.ts`, "--client", "fetch"];
        await workshop.run("npx", ["--no-install", "orval", ...orval]);
      }
      const made = apis.flatMap((api) => [`hey/${api}/index.ts`, `orval/${api}.ts`]);
      const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--types", "node", "--noEmit"];
      expect(await workshop.run("npx", ["--no-install", "tsc", ...strict, ...modules, ...made])).toBe("");
    });
  },
);
