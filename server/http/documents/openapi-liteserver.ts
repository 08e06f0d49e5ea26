import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import type { Declaration, Field, FieldType } from "../../../shared/ton/tl/declaration.js";
import { lazy } from "../../../shared/values/lazy.js";
import { foundIn } from "../../../shared/values/lookups.js";
import { pascal } from "../../../shared/values/type-names.js";
import { type Mirror, mirrorPath, mirrors, snakeCase } from "../lite/mirror/functions.js";
import { hasDefaultBlock } from "../lite/mirror/request.js";
import type { ServiceIdentity } from "./methods.js";
import { errorSchemas, failure } from "./openapi-errors.js";
import { envelope } from "./openapi-parts.js";
import { restServers } from "./servers.js";
import { componentPrefix } from "./subschemas.js";

const base64: JsonSchema = { type: "string", contentEncoding: "base64" };
const decimal: JsonSchema = { type: "string", pattern: "^-?\\d+$" };
const failed = {
  description: "A refused or failed call, or an error of a liteserver.",
  content: { "application/json": { schema: failure } },
};

/** Forms of parameters in a query. Bodies have the same, and objects as answers write them. */
const parameterForms: Readonly<Record<string, JsonSchema>> = {
  int: { type: "integer" },
  flags: { type: "integer", minimum: 0, maximum: 0xffffffff },
  long: { type: "string", description: "A decimal." },
  bool: { type: "boolean" },
  int256: { type: "string", description: "64 hex digits, or base64 or base64url.", maxLength: 64 },
  bytes: { ...base64, description: "Base64 or base64url." },
  shard: { type: "string", description: "A signed decimal, or 16 hex digits.", maxLength: 20 },
  method_id: { type: "string", description: "The number of a get-method, or its name.", maxLength: 128 },
  "tonNode.blockIdExt": {
    type: "string",
    description: "`(workchain,shard,seqno,root_hash,file_hash)`, or the JSON object of an answer.",
  },
  "tonNode.blockId": { type: "string", description: "`(workchain,shard,seqno)`, or a JSON object." },
  "liteServer.accountId": { type: "string", description: "An address in any form." },
  "liteServer.transactionId3": { type: "string", description: "`(account,lt)`, or a JSON object." },
};

/** The OpenAPI document of the functions of liteservers, from their declarations in TL. */
export function mirrorOpenApi({ version, network, publicUrl }: ServiceIdentity): object {
  const answers = new AnswerSchemas();
  const paths = Object.fromEntries(mirrors.map((mirror) => [mirror.path, pathOf(mirror, answers)]));
  return {
    openapi: "3.1.0",
    info: {
      title: "tonwire, liteserver queries",
      version,
      description: `The functions of a liteserver of the ${network}. ${mirrorPath} takes and gives TL; the other paths have its fields in JSON.`,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: restServers(publicUrl),
    security: [{ apiKeyHeader: [] }, { apiKeyQuery: [] }, {}],
    tags: [{ name: "Liteserver", description: "Queries of liteservers and their proofs." }],
    paths: { [mirrorPath]: { post: binaryQuery }, ...paths },
    components: {
      schemas: { ...answers.components(), ...errorSchemas.v2 },
      securitySchemes: {
        apiKeyHeader: { type: "apiKey", in: "header", name: "X-API-Key" },
        apiKeyQuery: { type: "apiKey", in: "query", name: "api_key" },
      },
    },
  };
}

const octets = { "application/octet-stream": {} };
const binaryQuery = {
  operationId: "liteQuery",
  tags: ["Liteserver"],
  summary: "Answers a query in TL.",
  description: "One function without `liteServer.query` around it; the answer may be `liteServer.error`.",
  requestBody: { required: true, content: octets },
  responses: { 200: { description: "The answer in TL.", content: octets }, "4XX": failed, "5XX": failed },
};

function pathOf(mirror: Mirror, answers: AnswerSchemas): object {
  const { name, verbs } = mirror;
  const parameters = parametersOf(mirror);
  const required = parameters.filter((each) => each.required).map((each) => each.name);
  const properties = parameters.map((each) => [each.name, each.schema]);
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  const operation = (id: string) => ({
    operationId: id,
    tags: ["Liteserver"],
    summary: `Answers ${name}.`,
    responses: {
      200: {
        description: "The answer.",
        content: { "application/json": { schema: envelope("v2", answers.of(mirror.answer)) } },
      },
      "4XX": failed,
      "5XX": failed,
    },
  });
  const get = { ...operation(name), parameters };
  const post = {
    ...operation(`${name}.post`),
    requestBody: { required: required.length > 0, content: { "application/json": { schema } } },
  };
  return { ...(verbs.includes("GET") && { get }), post };
}

type QueryParameter = { name: string; in: "query"; required: boolean; schema: JsonSchema };

function parametersOf(mirror: Mirror): QueryParameter[] {
  const parameter = (name: string, schema: JsonSchema, required = false): QueryParameter => ({
    name,
    in: "query",
    required,
    schema,
  });
  const fields = mirror.fields.map((field) => {
    const isBlock = field.name === "id" && hasDefaultBlock(mirror);
    return parameter(snakeCase(field.name), formOf(field), field.flag === undefined && !isBlock);
  });
  const options = [...mirror.options.keys()].map((name) => parameter(name, { type: "boolean" }));
  return [...fields, ...options, ...(mirror.hasMode ? [parameter("mode", parameterForms["flags"]!)] : [])];
}

function formOf({ name, type }: Pick<Field, "name" | "type">): JsonSchema {
  const own = parameterForms[snakeCase(name)];
  if (own) return own;
  if (type.kind === "vector")
    return { type: "string", description: "A list with commas, or an array in a body.", maxLength: 65_536 };
  return parameterForms[type.kind === "bare" ? type.constructor : type.kind]!;
}

/** Schemas of answers, with a component for each constructor. */
class AnswerSchemas {
  readonly #components = new Map<string, () => JsonSchema>();

  of(name: string): JsonSchema {
    const declaration = foundIn(wire.declarations, (each) => each.name === name);
    if (!this.#components.has(name))
      this.#components.set(
        name,
        lazy(() => this.#record(declaration)),
      );
    return { $ref: componentPrefix + componentName(name) };
  }

  /** Components are found while others are made. */
  components(): Record<string, JsonSchema> {
    const made: Record<string, JsonSchema> = {};
    for (const [name, schema] of this.#components) made[componentName(name)] = schema();
    return made;
  }

  #record({ name, fields }: Declaration): JsonSchema {
    const contents = fields.filter(({ type }) => type.kind !== "true");
    return {
      type: "object",
      description: name,
      properties: Object.fromEntries(
        contents.map((field) => [
          snakeCase(field.name),
          field.name === "shard" ? decimal : this.#schema(field.type),
        ]),
      ),
      required: contents.filter(({ flag }) => !flag).map((field) => snakeCase(field.name)),
    };
  }

  #schema(type: FieldType): JsonSchema {
    switch (type.kind) {
      case "long":
        return decimal;
      case "bool":
        return { type: "boolean" };
      case "int256":
      case "bytes":
        return base64;
      case "string":
        return { type: "string" };
      case "vector":
        return { type: "array", items: this.#schema(type.item) };
      case "bare":
        return this.of(type.constructor);
      case "boxed":
        return { anyOf: this.#constructorsOf(type.type).map(({ name }) => this.of(name)) };
      default:
        return { type: "integer" };
    }
  }

  #constructorsOf(type: string): Declaration[] {
    return wire.declarations.filter(({ result, isFunction }) => result === type && !isFunction);
  }
}

const componentName = (name: string) => `Tl${pascal(name)}`;
