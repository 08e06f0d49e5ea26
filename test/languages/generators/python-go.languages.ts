import { it } from "vitest";
import { writeDocuments } from "../harness/documents.js";
import { expectNineAnswers, nineCalls } from "../harness/nine-calls.js";
import { useGo, usePython } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";
import { apis, does, sourceOf } from "./shared.js";

// Clients that generators in Python and Go make of both REST documents, compiled under strict settings.

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
