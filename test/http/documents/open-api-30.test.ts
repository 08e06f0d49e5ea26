import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { createDocuments } from "../../../server/http/documents/documents.js";
import { registry } from "../../../shared/methods/registry.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { isLong } from "../../helpers/effort.js";
import { exampleRegistry } from "../../helpers/http/example-registry.js";
import { jsonSchema, openApi30Schema } from "../../helpers/http/openapi-30-schema.js";
import { SchemaCheck } from "../../helpers/http/schema-check.js";

type Media = Record<string, { schema: JsonSchema; examples?: Record<string, { value: unknown }> }>;
type Parameter = {
  name: string;
  in: string;
  schema: JsonSchema;
  style?: string;
  explode?: boolean;
  $ref?: string;
};
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
  callbacks?: Record<string, Record<string, Record<string, Operation>>>;
};
type OpenApi = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, Parameter> };
};

const identity = { network: "devnet", version: "0.1.7" };
const real = createDocuments(registry, identity);
const madeUp = createDocuments(exampleRegistry, identity);
const documents = (["v2", "v3", "v4"] as const).flatMap((api) =>
  [real, madeUp].map((all, index) => ({
    title: `${index === 0 ? "the service" : "made-up methods"}, ${api}`,
    older: all.openApi(api, "3.0") as OpenApi,
    newer: all.openApi(api, "3.1") as OpenApi,
  })),
);

/** Keywords of a Schema Object of OpenAPI 3.0.3 that are used, and extensions. */
const keywords =
  /^(\$ref|type|format|description|default|enum|nullable|pattern|minLength|maxLength|minimum|maximum|minItems|maxItems|items|properties|required|additionalProperties|oneOf|allOf|discriminator|x-.+)$/;

const operationsOf = ({ paths }: OpenApi) => Object.values(paths).flatMap((verbs) => Object.values(verbs));

/** Every schema of the document with its place. */
function schemasOf(document: OpenApi): [place: string, schema: JsonSchema][] {
  const contents = operationsOf(document).flatMap(
    ({ operationId, requestBody, responses, parameters = [] }) => [
      ...parameters.flatMap(({ name, schema }) =>
        schema ? [[`${operationId} ${name}`, schema] as const] : [],
      ),
      ...[requestBody, ...Object.values(responses)].flatMap((each) =>
        each?.content ? [[operationId, Object.values(each.content)[0]!.schema] as const] : [],
      ),
    ],
  );
  const roots = [...contents, ...Object.entries(document.components.schemas)];
  return roots.flatMap(([place, schema]) => within(place, schema));
}

function within(place: string, schema: JsonSchema): [string, JsonSchema][] {
  const { properties = {}, items, additionalProperties, oneOf = [], allOf = [] } = schema;
  const inner = [
    ...Object.entries(properties),
    ...(items ? [["[]", items] as const] : []),
    ...(additionalProperties ? [["{}", additionalProperties as JsonSchema] as const] : []),
    ...[...oneOf, ...allOf].map((each) => ["|", each] as const),
  ];
  return [[place, schema], ...inner.flatMap(([name, each]) => within(`${place}.${name}`, each))];
}

describe.each(documents)("OpenAPI 3.0 of $title", ({ title, older, newer }) => {
  const schemas = schemasOf(older);
  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : older.components.schemas[schema.$ref.split("/").at(-1)!]!;

  it("is valid", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(older)));
    expect({ valid, errors, version: older.openapi }).toEqual({
      valid: true,
      errors: undefined,
      version: "3.0.3",
    });
  });

  it("has no keyword of other versions, and one type a schema", () => {
    for (const [place, schema] of schemas) {
      expect([place, Object.keys(schema).filter((keyword) => !keywords.test(keyword))]).toEqual([place, []]);
      expect([place, typeof (schema.type ?? "")]).toEqual([place, "string"]);
      if (schema.$ref !== undefined) expect([place, Object.keys(schema)]).toEqual([place, ["$ref"]]);
      if (schema.type === "array") expect([place, typeof schema.items]).toEqual([place, "object"]);
    }
  });

  it("has no dangling reference", () => {
    const refs = JSON.stringify(older).match(/(?<="\$ref":")[^"]+/g)!;
    for (const ref of new Set(refs)) {
      let found: unknown = older;
      for (const name of ref.replace("#/", "").split("/")) found = (found as Record<string, unknown>)[name];
      expect([ref, typeof found]).toEqual([ref, "object"]);
    }
  });

  it("has a discriminator in each union, by a member that each variant requires", () => {
    for (const [place, { oneOf, discriminator }] of schemas) {
      if (!oneOf) continue;
      const { propertyName, mapping } = discriminator as {
        propertyName: string;
        mapping: Record<string, string>;
      };
      expect([place, new Set(Object.values(mapping))]).toEqual([
        place,
        new Set(oneOf.map(({ $ref }) => $ref)),
      ]);
      for (const [word, $ref] of Object.entries(mapping)) {
        const variant = resolve({ $ref });
        const parts = [variant, ...(variant.allOf ?? []).map(resolve)];
        const own = parts.find(({ properties }) => properties?.[propertyName])!;
        expect([place, own.required]).toEqual([place, expect.arrayContaining([propertyName])]);
        expect([place, own.properties![propertyName]!.enum]).toEqual([place, expect.arrayContaining([word])]);
      }
    }
  });

  it("has one type for each parameter, and lists as repeated parameters", () => {
    const parameters = [
      ...operationsOf(older).flatMap((operation) => operation.parameters ?? []),
      ...Object.values(older.components.parameters),
    ].filter(({ $ref }) => $ref === undefined);
    for (const { name, in: place, schema, style, explode } of parameters) {
      const isList = schema.type === "array";
      const types = ["string", "integer", "boolean"];
      expect([name, types.includes(String(isList ? schema.items!.type : schema.type))]).toEqual([name, true]);
      const form = place === "path" ? ["simple", false] : ["form", true];
      expect([name, style, explode]).toEqual([name, ...(isList ? form : [undefined, undefined])]);
    }
  });

  it("has a format in each integer", () => {
    for (const [place, { type, format }] of schemas)
      if (type === "integer") expect([place, format]).toEqual([place, expect.stringMatching(/^int(32|64)$/)]);
  });

  it("has no empty default beside a pattern", () => {
    for (const [place, { pattern, default: initial }] of schemas)
      if (pattern !== undefined) expect([place, initial]).not.toEqual([place, ""]);
  });

  it("has null among the values of nullable members", () => {
    for (const [place, { nullable = false, enum: values }] of schemas)
      if (values) expect([place, values.includes(null)]).toEqual([place, nullable]);
  });

  it("has no type beside records that may be null, which had openapi-python-client drop the null", () => {
    const optional = schemas.filter(([, { nullable, allOf, oneOf }]) => nullable && (allOf ?? oneOf));
    for (const [place, { type }] of optional) expect([place, type]).toEqual([place, undefined]);
  });

  it("has every operation of the 3.1 document but JSON-RPC, and its parameters and statuses", () => {
    const shape = (document: OpenApi) =>
      Object.entries(document.paths).map(([path, verbs]) => [
        path,
        Object.entries(verbs).map(([verb, { operationId, parameters = [], responses }]) => [
          verb,
          operationId,
          parameters.map(({ name, $ref }) => name ?? $ref),
          Object.keys(responses),
        ]),
      ]);
    expect(shape(older)).toEqual(shape(newer).filter(([path]) => path !== "/api/v2/jsonRPC"));
  });

  it("has one form of success and one of failure for each operation", () => {
    for (const { operationId, responses } of operationsOf(older)) {
      const forms = (status: RegExp) =>
        Object.entries(responses).flatMap(([each, { content }]) =>
          status.test(each) ? JSON.stringify(Object.values(content ?? {})[0]?.schema ?? null) : [],
        );
      expect([operationId, new Set(forms(/^2|default/)).size]).toEqual([operationId, 1]);
      expect([operationId, new Set(forms(/^[45]|default/)).size]).toEqual([operationId, 1]);
    }
  });

  // Those of the service as its answers have to fit them, by the test of the story's examples.
  it.runIf(isLong || title.startsWith("made-up"))("has examples that fit their schemas", () => {
    const check = new SchemaCheck(openApi30Schema(older));
    for (const { operationId, requestBody, responses } of operationsOf(older))
      for (const content of [requestBody?.content, ...Object.values(responses).map((each) => each.content)]) {
        const { schema, examples = {} } = Object.values(content ?? {})[0] ?? { schema: {} };
        for (const { value } of Object.values(examples))
          expect([operationId, check.problems(jsonSchema(schema), value)]).toEqual([operationId, []]);
      }
  });
});

it("OpenAPI 3.0 has bounds of integers whose range is known", () => {
  const { schemas } = (real.openApi("v3", "3.0") as OpenApi).components;
  const range = (record: string, member: string) => {
    const { format, minimum, maximum } = schemas[record]!.properties![member]!;
    return [format, minimum, maximum];
  };
  expect(range("Transaction", "now")).toEqual(["int64", 0, 2 ** 32 - 1]);
  expect(range("BlockRef", "seqno")).toEqual(["int64", 0, 2 ** 32 - 1]);
  expect(range("BlockRef", "workchain")).toEqual(["int32", -(2 ** 31), 2 ** 31 - 1]);
  expect(range("ComputePhase", "exit_code")).toEqual(["int32", -(2 ** 31), 2 ** 31 - 1]);
  expect(range("ActionPhase", "msgs_created")).toEqual(["int32", 0, 2 ** 31 - 1]);
});

it("OpenAPI 3.0 lets a record be null", () => {
  const { schemas } = (real.openApi("v3", "3.0") as OpenApi).components;
  expect(schemas["Message"]!.properties!["init_state"]).toEqual({
    nullable: true,
    allOf: [{ $ref: "#/components/schemas/CellContent" }],
  });
});
