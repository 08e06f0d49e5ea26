import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../../server/errors.js";
import { createDocuments } from "../../../server/http/documents/documents.js";
import { mapSubschemas } from "../../../server/http/documents/subschemas.js";
import { strictErrorObject } from "../../../server/rpc/json-rpc/strict-dialect.js";
import { ParamReader, type RawParams } from "../../../server/rpc/params/params.js";
import { descriptorPrefix, inlined } from "../../../server/web/pages/inlined.js";
import { type AnyDefinition, flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { addressText } from "../../../shared/schema/patterns.js";
import { pascal } from "../../../shared/values/type-names.js";
import { exampleRegistry } from "../../helpers/http/example-registry.js";
import { SchemaCheck } from "../../helpers/http/schema-check.js";

// The package's types lack this export.
const { openrpcDocument: metaSchema } = createRequire(import.meta.url)("@open-rpc/meta-schema");

const registries = { "the service": registry, "made-up methods": exampleRegistry };

describe.each(Object.entries(registries))("OpenRPC of %s", (_, methods) => {
  const { discovery } = createDocuments(methods, { network: "devnet", version: "0.1.0" });
  const openRpc = inlined(discovery);

  it("is an OpenRPC document by the standard", () => {
    const ajv = new Ajv({ strict: false });
    // Tools reject a document with a path in place of an absolute URL.
    ajv.addFormat("uri", (text) => URL.canParse(text));
    // The standard's schema refers to a remote one for JSON Schemas; the next test checks ours.
    const anySchema = { definitions: { JSONSchemaObject: { properties: { $ref: { type: "string" } } } } };
    ajv.addSchema(anySchema, "https://meta.json-schema.tools");
    ajv.addSchema(anySchema, "https://meta.json-schema.tools/");
    const valid = ajv.compile(metaSchema);
    valid(JSON.parse(JSON.stringify(discovery)));
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

  it("has each parameter and result that several methods have once", () => {
    const given = discovery.methods.flatMap(({ params, result }) => [...params, result]);
    const texts = given.filter((each) => "schema" in each).map((each) => JSON.stringify(each));
    const shared = Object.values(discovery.components.contentDescriptors).map((each) => JSON.stringify(each));
    const all = [...texts, ...shared];
    expect(shared.length).toBeGreaterThan(0);
    expect(all.filter((each, at) => all.indexOf(each) !== at)).toEqual([]);
    const references = given.flatMap((each) => ("$ref" in each ? [each.$ref] : []));
    for (const name of Object.keys(discovery.components.contentDescriptors))
      expect(references.filter((each) => each === descriptorPrefix + name).length).toBeGreaterThan(1);
  });

  it("describes the data of errors", () => {
    const valid = new Ajv({ strict: false }).compile(openRpc["x-error-data"]);
    const refused = ({ params }: AnyDefinition, object: RawParams["object"] = {}) => {
      try {
        new ParamReader(params, "v3").read({ object });
      } catch (error) {
        return JSON.parse(strictErrorObject(error as ServiceError, "v3")).data;
      }
    };
    const refusals = [
      refused(registry.getBlockHeader),
      refused(registry.v3.transactions, { limit: "many", account: [5] }),
      refused(registry.v3.transactions, { limit: 1001 }),
    ];
    const examples = Object.values(openRpc.components.errors).map(({ data }) => data);
    for (const data of [...examples, ...refusals]) expect([data, valid(data)]).toEqual([data, true]);
    expect(refusals.map(({ refused: each }) => each.length)).toEqual([3, 2, 1]);
    expect(valid({ code: 422 })).toBe(false);
    expect(openRpc.components.errors["invalid-params"]).toMatchObject({
      data: { refused: [{ param: "limit" }] },
    });
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

describe("schemas in OpenRPC", () => {
  const { openRpc } = createDocuments(registry, { network: "devnet", version: "0.1.0" });
  const { schemas } = openRpc.components;

  it("say where they recur by dynamic references, so that all others can be replaced", () => {
    const anchors = Object.entries(schemas).flatMap(([name, { $dynamicAnchor }]) =>
      $dynamicAnchor === undefined ? [] : [[name, $dynamicAnchor]],
    );
    const named = within(Object.values(schemas)).flatMap(({ $dynamicRef }) => $dynamicRef ?? []);
    expect(anchors).toContainEqual(["TraceNode", "TraceNode"]);
    expect(new Set(named)).toEqual(new Set(anchors.map(([name]) => `#${name}`)));
    for (const [name, anchor] of anchors) expect(anchor).toBe(name);
    // Does not end for a component that leads back to itself.
    expect(Object.keys(schemas).every((name) => replacedSize(schemas, { $ref: prefix + name }) > 0)).toBe(
      true,
    );
  });

  it("become few schemas if each reference is replaced by what it refers to", () => {
    const sizes = openRpc.methods.map(({ params, result }) =>
      [result, ...params].reduce((sum, { schema }) => sum + replacedSize(schemas, schema), 0),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
  });

  it("are short: records that recur have names", () => {
    const { components, methods } = createDocuments(registry, {
      network: "devnet",
      version: "0.1.0",
    }).discovery;
    const texts = [components, methods.map(({ examples: _, ...method }) => method)];
    expect(JSON.stringify(texts).length).toBeLessThan(700_000);
  });

  it("have titles that no method has as the name of its type, items in every list, and no formats that JSON Schema does not define", () => {
    const ofMethods = openRpc.methods.map(({ name }) => pascal(name));
    for (const [name, { title }] of Object.entries(schemas)) {
      expect(title).toBe(ofMethods.includes(pascal(name)) ? `${name}Record` : name);
      expect(ofMethods).not.toContain(pascal(title as string));
    }
    for (const { name, result, params } of openRpc.methods) {
      const own = [result, ...params].map(({ schema }) => schema);
      for (const schema of within(own))
        if (schema.type === "array") expect(schema, name).toHaveProperty("items");
      if (result.schema.properties) expect(result.schema["title"]).toMatch(/Answer$/);
    }
    for (const schema of within(Object.values(schemas))) {
      if (schema.type === "array") expect(schema).toHaveProperty("items");
      expect(["date-time", undefined]).toContain(schema.format);
    }
  });

  it("hold for what is below a dynamic reference", () => {
    const made = createDocuments(exampleRegistry, { network: "devnet", version: "0.1.0" }).openRpc;
    const check = new SchemaCheck(made);
    const nodes = (value: unknown) => ({ value: 1, children: [{ value: 2, children: [{ value }] }] });
    const node = { $ref: `${prefix}Node` };
    expect(check.problems(node, nodes(3))).toEqual([]);
    expect(check.problems(node, nodes("three"))).not.toEqual([]);
  });
});

const prefix = "#/components/schemas/";

/** The schemas, with those inside them. */
function within(schemas: readonly JsonSchema[]): JsonSchema[] {
  const found: JsonSchema[] = [];
  const add = (schema: JsonSchema): JsonSchema => {
    found.push(schema);
    return mapSubschemas(schema, add);
  };
  schemas.forEach(add);
  return found;
}

/** How many schemas there are if each reference is replaced by what it refers to. */
function replacedSize(components: Readonly<Record<string, JsonSchema>>, schema: JsonSchema): number {
  const all = within([schema]);
  return all.reduce(
    (sum, { $ref }) =>
      sum + ($ref === undefined ? 0 : replacedSize(components, components[$ref.slice(prefix.length)]!)),
    all.length,
  );
}

describe("a method in OpenRPC", () => {
  const { openRpc, discovery } = createDocuments(exampleRegistry, { network: "devnet", version: "0.1.0" });
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
      Address: { type: "string", pattern: addressText.pattern },
      "v2.Int64From1To100": {
        anyOf: [
          { type: "integer", minimum: 1, maximum: 100 },
          { type: "string", pattern: "^(?:0{0,17}(?:100|[1-9]\\d{0,1}))$", maxLength: 128 },
        ],
      },
    });
    expect(errors).toEqual([{ $ref: "#/components/errors/liteserver-error" }]);
  });

  it("appears under its alias as a deprecated method, with the same parameters and result", () => {
    expect(openRpc.methods[1]).toEqual({
      ...method,
      name: "things",
      description: "Alias of `getThings`.",
      deprecated: true,
    });
    const [own, alias] = discovery.methods;
    const references = [{ $ref: `${descriptorPrefix}address` }, { $ref: `${descriptorPrefix}limit` }];
    expect([own!.params, alias!.params]).toEqual([references, references]);
    expect([own!.result, alias!.result]).toEqual(
      Array.from({ length: 2 }, () => ({ $ref: `${descriptorPrefix}getThings.result` })),
    );
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
