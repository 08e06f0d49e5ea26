import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { createDocuments } from "../../../server/http/documents/documents.js";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { addressText } from "../../../shared/schema/patterns.js";
import { SchemaCheck } from "../../helpers/schema-check.js";
import { exampleRegistry } from "./example-registry.js";

// The package's types lack this export.
const { openrpcDocument: metaSchema } = createRequire(import.meta.url)("@open-rpc/meta-schema");

const registries = { "the service": registry, "made-up methods": exampleRegistry };

describe.each(Object.entries(registries))("OpenRPC of %s", (_, methods) => {
  const { openRpc } = createDocuments(methods, { network: "devnet", version: "0.1.0" });

  it("is what the standard calls an OpenRPC document", () => {
    const ajv = new Ajv({ strict: false });
    // Tools reject a document with a path in place of an absolute URL.
    ajv.addFormat("uri", (text) => URL.canParse(text));
    // The standard's schema refers to a remote one for JSON Schemas; the next test checks ours.
    const anySchema = { definitions: { JSONSchemaObject: { properties: { $ref: { type: "string" } } } } };
    ajv.addSchema(anySchema, "https://meta.json-schema.tools");
    ajv.addSchema(anySchema, "https://meta.json-schema.tools/");
    const valid = ajv.compile(metaSchema);
    valid(JSON.parse(JSON.stringify(openRpc)));
    expect(valid.errors ?? []).toEqual([]);
  });

  it("has examples that fit its own schemas", () => {
    const check = new SchemaCheck(openRpc);
    for (const method of openRpc.methods) {
      const schemas = new Map(method.params.map(({ name, schema }) => [name, schema]));
      for (const { params, result } of method.examples) {
        for (const { name, value } of params) expect(check.problems(schemas.get(name)!, value)).toEqual([]);
        expect(check.problems(method.result.schema, result.value), method.name).toEqual([]);
      }
    }
  });

  it("lists every method and every alias, once", () => {
    const names = flatten(methods).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
    expect(openRpc.methods.map(({ name }) => name)).toEqual(names);
  });

  it("refers only to errors it describes", () => {
    const known = Object.keys(openRpc.components.errors).map((kind) => `#/components/errors/${kind}`);
    const common = openRpc["x-common-errors"].map(({ $ref }) => $ref);
    const own = openRpc.methods.flatMap(({ errors }) => errors.map(({ $ref }) => $ref));
    expect([...common, ...own].filter(($ref) => !known.includes($ref))).toEqual([]);
    expect(common).toContain("#/components/errors/invalid-params");
    expect(own.filter(($ref) => common.includes($ref))).toEqual([]);
  });
});

describe("a method in OpenRPC", () => {
  const { openRpc } = createDocuments(exampleRegistry, { network: "devnet", version: "0.1.0" });
  const method = openRpc.methods[0]!;

  it("has its parameters by name, with defaults and bounds, and its REST paths", () => {
    const { errors, ...described } = method;
    expect(described).toEqual({
      name: "getThings",
      summary: "Things of an `address`.",
      description: "Newest first.",
      tags: [{ name: "Things" }],
      paramStructure: "either",
      params: [
        {
          name: "address",
          description: "Whose things.",
          required: true,
          schema: { $ref: "#/components/schemas/Address" },
        },
        {
          name: "limit",
          description: "How many.",
          schema: { default: 10, $ref: "#/components/schemas/v2.Int64From1To100" },
        },
      ],
      result: {
        name: "result",
        description: "The things.",
        schema: {
          type: "array",
          items: { $ref: "#/components/schemas/raw.message", description: "A message." },
        },
      },
      examples: [
        {
          name: "example1",
          params: [
            { name: "address", value: `0:${"3".repeat(64)}` },
            { name: "limit", value: 2 },
          ],
          result: { name: "result", value: [{ "@type": "raw.message", value: "1" }] },
        },
      ],
      "x-rest": { verbs: ["GET", "POST"], paths: ["/api/v2/getThings", "/api/v2/things"] },
      "x-freshness": "head",
    });
    expect(openRpc.components.schemas).toMatchObject({
      Address: addressText,
      "v2.Int64From1To100": {
        anyOf: [
          { type: "integer", format: "int32", minimum: 1, maximum: 100 },
          { type: "string", pattern: "^(?:0{0,17}(?:100|[1-9]\\d{0,1}))$", maxLength: 128 },
        ],
      },
    });
    expect(errors).toEqual([{ $ref: "#/components/errors/liteserver-error" }]);
  });

  it("appears under its alias as a deprecated method", () => {
    expect(openRpc.methods[1]).toEqual({
      ...method,
      name: "things",
      description: "Alias of `getThings`.",
      deprecated: true,
    });
  });

  it("is left out on networks that do not have it", () => {
    const mainnet = createDocuments(exampleRegistry, { network: "mainnet", version: "0.1.0" });
    expect(mainnet.openRpc.methods.map(({ name }) => name)).toEqual([
      "getThings",
      "things",
      "sendThing",
      "v3.jetton.burns",
    ]);
  });
});
