import { runInNewContext } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { apiOf } from "../../../server/errors.js";
import { createDocuments } from "../../../server/http/documents/documents.js";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { decimals, matching } from "../../../shared/schema/patterns.js";
import { Address } from "../../../shared/values/address.js";
import { cpuMs } from "../../helpers/cpu-time.js";
import { isLong, sized } from "../../helpers/effort.js";
import { documentedValues } from "../../helpers/http/documented-values.js";

type Parameter = { name?: string; in?: string; schema: JsonSchema };
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: { "application/json": { schema: JsonSchema } } };
};
type OpenApi = { paths: Record<string, Record<string, Operation>> };

const documents = createDocuments(registry, { network: "devnet", version: "0.1.7" });
const definitions = new Map(flatten(registry));
const components = documents.openRpc.components.schemas;
/** The schema of a parameter, which is a component if several have it. */
const resolved = (schema: JsonSchema) => components[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;

/** The schema of each parameter as the documents have it, by the method's name. */
function* documentedParameters(): Generator<[method: string, name: string, schema: JsonSchema]> {
  for (const { name: method, params } of documents.openRpc.methods)
    for (const { name, schema } of params) yield [method, name, schema];
  for (const { paths } of [documents.openApi("v2", "3.1"), documents.openApi("v3", "3.1")] as OpenApi[])
    for (const [path, { get, post }] of Object.entries(paths)) {
      const method = path
        .replace(/^\/api\/v2\//, "")
        .replace(/^\/api\/v3\//, "v3.")
        .replaceAll("/", ".");
      for (const { name, in: place, schema } of get?.parameters ?? [])
        if (place === "query") yield [method, name!, schema];
      const body = post?.requestBody?.content["application/json"].schema;
      for (const [name, schema] of Object.entries(body?.properties ?? {})) yield [method, name, schema];
    }
}

/** No pattern that every language reads says which characters of a name are visible. */
const isBeyondPatterns = (method: string, name: string) => method === "devnet.setName" && name === "name";

/** Parameters of the same form are one, or in the long run those of the same name only. */
const formOf = (schema: JsonSchema) =>
  schema.$ref ?? JSON.stringify({ ...schema, description: undefined, default: undefined });
const parameters = new Map<string, { title: string; schema: JsonSchema; field: z.ZodType }>();
for (const [method, name, schema] of documentedParameters()) {
  if (isBeyondPatterns(method, name)) continue;
  const field = definitions.get(method)?.params.shape[name];
  const api = apiOf(method);
  const title = `${api} ${name} ${JSON.stringify(schema)}`;
  const key = isLong ? title : formOf(schema);
  if (field && !parameters.has(key)) parameters.set(key, { title: title.slice(0, 60), schema, field });
}

const shown = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each));

describe("every value that the documents allow for a parameter", () => {
  it.each([...parameters.values()])("is accepted: $title", ({ schema, field }) => {
    fc.assert(
      fc.property(documentedValues(schema, components), (value) => {
        expect([shown(value), field.safeParse(value).success]).toEqual([shown(value), true]);
      }),
      { numRuns: sized(12, 50) },
    );
  });
});

describe("a list as text that ends with a wrong item", () => {
  const lists = new Map<string, JsonSchema>();
  for (const { schema } of parameters.values()) {
    const [array, text] = resolved(schema).anyOf ?? [];
    if (array?.items?.pattern?.startsWith("^(?:")) lists.set(text!.pattern!, array.items);
  }

  /** A value, and plainer ones of the same form: `0` and `A` are what different forms have in common. */
  const plainer = (value: string) => {
    const zeros = value.replace(/\d/g, "0");
    return [value, zeros.replace(/[a-z+/_]/gi, "A"), zeros.replace(/[^\d:=]/g, "A")];
  };

  it.each([...lists])("does not match at once: %s", (pattern, item) => {
    const values = fc.sample(documentedValues(item), { numRuns: sized(50, 200), seed: 41 }) as string[];
    const items = [...new Set(values.flatMap(plainer))].filter((each) =>
      new RegExp(item.pattern!).test(each),
    );
    // With two ways to match an item, there are 2^20 for the list.
    const texts = items.map((each) => `${`${each},`.repeat(20)}!`);
    const matching = "texts.filter((text) => new RegExp(pattern, 'u').test(text))";
    // Ends a match that would take years.
    const limit = { timeout: 60_000 };
    const used = cpuMs(1000, () => expect(runInNewContext(matching, { texts, pattern }, limit)).toEqual([]));
    expect(used).toBeLessThan(1000);
  });
});

describe("the forms of addresses and hashes", () => {
  const address = new Address(-1, new Uint8Array(32).fill(0xfb));
  const addresses = [true, false].flatMap((bounceable) =>
    [true, false].flatMap((testOnly) =>
      [true, false].map((urlSafe) => address.toFriendly({ bounceable, testOnly, urlSafe })),
    ),
  );
  addresses.push(address.toRaw(), address.toRawUpper(), new Address(-128, address.hash).toRaw());
  const base64 = Buffer.from(address.hash).toString("base64");
  const hashes = [
    Buffer.from(address.hash).toString("hex"),
    base64,
    `${base64}====`,
    Buffer.from(address.hash).toString("base64url"),
  ];
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  it.each([
    ["getAddressBalance", "address", addresses],
    ["v3.addressInformation", "address", addresses],
    ["v3.accountStates", "address", [addresses, addresses.join()]],
    ["v3.messages", "source", [...addresses, "null"]],
    ["detectHash", "hash", hashes],
    ["getTransactions", "hash", hashes],
    ["v3.blocks", "root_hash", hashes],
    ["v3.transactions", "hash", [...hashes, hashes, hashes.join()]],
  ])("that %s accepts as %s are documented", (method, name, values) => {
    const { shape } = definitions.get(method)!.params;
    const schema = documents.openRpc.methods
      .find((each) => each.name === method)!
      .params.find((each) => each.name === name)!;
    for (const value of values) {
      expect([value, shape[name].safeParse(value).success]).toEqual([value, true]);
      expect([value, ajv.compile(resolved(schema.schema))(value)]).toEqual([value, true]);
    }
  });
});

describe("the pattern of a decimal", () => {
  it("matches exactly the numbers of its range", () => {
    const range = fc.tuple(fc.bigInt(0n, 10n ** 19n), fc.bigInt(0n, 10n ** 19n));
    fc.assert(
      fc.property(range, fc.bigInt(-100n, 100n), fc.boolean(), ([a, b], offset, near) => {
        const [min, max] = a < b ? [a, b] : [b, a];
        const pattern = new RegExp(matching(decimals(min, max)).pattern, "u");
        for (const value of [min, max, near ? min + offset : max + offset, (min + max) / 2n]) {
          const inside = value >= min && value <= max;
          expect([value, pattern.test(String(value))]).toEqual([value, inside]);
        }
      }),
      { numRuns: sized(30, 100) },
    );
  });

  it("takes signs", () => {
    const pattern = new RegExp(matching(decimals(-128n, 127n, { plus: true })).pattern, "u");
    const texts = ["-128", "-129", "127", "128", "+5", "-0", "", "+", "00000000000000000127", "1".repeat(21)];
    expect(texts.filter((text) => pattern.test(text))).toEqual([
      "-128",
      "127",
      "+5",
      "-0",
      "00000000000000000127",
    ]);
  });
});
