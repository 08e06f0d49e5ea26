import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import type { Api } from "../../errors.js";
import { errorSchemas } from "./openapi-errors.js";

// What no method definition says: envelopes, request options, and the operations that are no methods.

const extra: JsonSchema = {
  type: "string",
  description: "When, by which liteservers and how fast the call was answered. Opaque to clients.",
};

/** How an interface wraps its results. */
export function envelope(api: Api, result: JsonSchema): JsonSchema {
  if (api === "v3") return result;
  return {
    type: "object",
    properties: { ok: { type: "boolean", const: true }, result, "@extra": extra },
    required: ["ok", "result", "@extra"],
  };
}

const flag: JsonSchema = { type: "boolean" };
const v3Options = {
  timeout: header(
    "X-Timeout",
    { type: "integer", minimum: 1, maximum: 3000 },
    "Longest time of the query in milliseconds.",
  ),
  noAddressBook: header("X-No-Address-Book", flag, "Leaves `address_book` empty."),
  noMetadata: header("X-No-Metadata", flag, "Leaves `metadata` empty."),
  actionsVersion: header(
    "X-Actions-Version",
    { type: "string" },
    "Version of the action types to answer with.",
  ),
};

function header(name: string, schema: JsonSchema, description: string) {
  return { name, in: "header", description, schema };
}

/** Parameters that every operation of the interface takes, as components. */
export const requestOptions = (api: Api): Record<string, unknown> => (api === "v3" ? v3Options : {});

export const parameterRefs = (api: Api): { $ref: string }[] =>
  Object.keys(requestOptions(api)).map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** JSON-RPC and health of the v2 interface. */
export function serviceOperations(api: Api): Record<string, unknown> {
  return api === "v3"
    ? {}
    : { "/api/v2/jsonRPC": { post: jsonRpc }, "/api/v2/healthcheck": { get: healthcheck } };
}

const id: JsonSchema = { type: ["string", "number", "null"] };
const call: JsonSchema = {
  type: "object",
  properties: { jsonrpc: { const: "2.0" }, id, method: { type: "string" }, params: { type: "object" } },
  required: ["method"],
};
const answer: JsonSchema = {
  type: "object",
  properties: {
    ok: { type: "boolean" },
    result: {},
    error: { type: "string" },
    code: { type: "integer" },
    "@extra": extra,
    jsonrpc: { const: "2.0" },
    id,
  },
  required: ["ok", "jsonrpc"],
};

/** How a batch fails as a whole. */
const strictFailure: JsonSchema = {
  type: "object",
  properties: {
    jsonrpc: { const: "2.0" },
    id: { type: "null" },
    ok: { const: false },
    error: {
      type: "object",
      properties: { code: { type: "integer" }, message: { type: "string" }, data: { type: "object" } },
      required: ["code", "message"],
    },
  },
  required: ["jsonrpc", "id", "error"],
};

const jsonRpc = {
  operationId: "jsonRPC",
  tags: ["JSON-RPC"],
  summary: "Any method by its name.",
  description:
    "A single call is answered in the envelope of REST, with its statuses. An array of calls is answered by JSON-RPC 2.0: `/openrpc.json`.",
  requestBody: {
    required: true,
    content: { "application/json": { schema: { anyOf: [call, { type: "array", items: call }] } } },
  },
  responses: {
    200: {
      description: "The answer, or those of a batch.",
      content: {
        "application/json": {
          schema: { anyOf: [answer, { type: "array", items: { type: "object" } }, strictFailure] },
        },
      },
    },
    204: { description: "A batch of calls without an `id`, to which there is no answer." },
    default: {
      description: "A call or a whole batch that failed.",
      content: { "application/json": { schema: { anyOf: [answer, strictFailure] } } },
    },
  },
};

const healthcheck = {
  operationId: "healthcheck",
  tags: ["Service"],
  summary: "Whether the service is ready.",
  security: [{}],
  responses: {
    200: { description: "It is.", content: { "application/json": { schema: { const: "OK" } } } },
    503: {
      description: "Not yet, or no more; the body says why.",
      content: { "application/json": { schema: errorSchemas.v2 } },
    },
  },
};
