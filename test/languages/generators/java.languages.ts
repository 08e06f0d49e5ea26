import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { writeDocuments } from "../harness/documents.js";
import { expectNineAnswers, nineCalls } from "../harness/nine-calls.js";
import { useMaven } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";
import { apis, does, sourceOf } from "./shared.js";

// Clients that openapi-generator makes of both REST documents, compiled with all warnings as errors.

const openapiGenerator = "org.openapitools:openapi-generator-cli";

const properties = (api: string) =>
  Object.entries({
    invokerPackage: api,
    apiPackage: `${api}.api`,
    modelPackage: `${api}.model`,
    sourceFolder: "java",
    useJakartaEe: true,
    useSingleRequestParameter: true,
    openApiNullable: false,
  })
    .map((property) => property.join("="))
    .join(",");

describeTool(`openapi-generator ${versions.maven[openapiGenerator]} (Java)`, ["javac", "mvn"], (workshop) => {
  it(does, async () => {
    const { folder, run, copy, write } = workshop;
    await writeDocuments(workshop, "3.0");
    const generator = await useMaven(workshop, openapiGenerator);
    rmSync(join(folder, "clients"), { recursive: true, force: true });
    for (const api of apis) {
      const args = ["-g", "java", "--library", "native", "-i", `${api}.json`, "-o", `clients/${api}`];
      const global = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false";
      const settings = ["--additional-properties", properties(api), "--global-property", global];
      const program = "org.openapitools.codegen.OpenAPIGenerator";
      await run("java", ["-cp", generator, program, "generate", ...args, ...settings]);
    }
    const classpath = await useMaven(
      workshop,
      "com.fasterxml.jackson.core:jackson-databind",
      "com.fasterxml.jackson.datatype:jackson-datatype-jsr310",
      "jakarta.annotation:jakarta.annotation-api",
    );
    copy(sourceOf("OpenapiGeneratorCalls.java"));
    const sources = readdirSync(join(folder, "clients"), { recursive: true, encoding: "utf8" })
      .filter((path) => /^v\d.java.*\.java$/.test(path))
      .map((path) => join("clients", path));
    write("sources", ["OpenapiGeneratorCalls.java", ...sources].join("\n"));
    // The generator's exceptions and maps have no serialVersionUID.
    const lint = ["-Xlint:all,-serial", "-Werror"];
    await run("javac", [...lint, "-cp", classpath, "-d", "classes", "@sources"]);
    const printed = await run(
      "java",
      ["-cp", `${classpath}:classes`, "OpenapiGeneratorCalls"],
      await nineCalls(),
    );
    await expectNineAnswers(printed);
  });
});
