import * as z from "zod";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { healthScopes } from "../../../shared/values/health-scopes.js";
import type { Api } from "../../errors.js";
import { indexSeqnoHeader, maxIndexSeqno } from "../answers/seen-index.js";
import type { DocumentedMethod } from "./methods.js";
import type { Operation, Parameter, PathItem, Response } from "./openapi-document.js";
import { failure } from "./openapi-errors.js";

// The parts of the OpenAPI document that method definitions do not have: envelopes, request options, and operations
// that are not methods.

const extra: JsonSchema = {
  type: "string",
  description: "Time, liteservers and duration of the call. Opaque to clients.",
};

/** The schema of a successful answer: v2 wraps results in an envelope, v3 and v4 do not. */
export function envelope(api: Api, result: JsonSchema): JsonSchema {
  if (api !== "v2") return result;
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
    { type: "integer", format: "int32", minimum: 1, maximum: 3000 },
    "Timeout of the query in milliseconds.",
  ),
  noAddressBook: header("X-No-Address-Book", flag, "Leaves `address_book` empty."),
  noMetadata: header("X-No-Metadata", flag, "Leaves `metadata` empty."),
  actionsVersion: header(
    "X-Actions-Version",
    { type: "string" },
    "Version of the action types to answer with.",
  ),
};

function header(name: string, schema: JsonSchema, description: string): Parameter {
  return { name, in: "header", description, schema };
}

const seqno: JsonSchema = { type: "integer", format: "int32", minimum: 0 };
const indexOptions = {
  indexSeqno: header(
    indexSeqnoHeader,
    { ...seqno, maximum: maxIndexSeqno },
    "A masterchain block that the caller has seen in the index. The answer is read from an index that has it.",
  ),
};

/** Header parameters of an API, as components. */
export const requestOptions = (api: Api): Record<string, Parameter> =>
  api === "v3" ? { ...v3Options, ...indexOptions } : {};

export const parameterRefs = (method: DocumentedMethod): { $ref: string }[] =>
  [
    ...Object.keys(method.api === "v3" ? v3Options : {}),
    ...(readsIndex(method) ? Object.keys(indexOptions) : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** Headers of the successful answers of a method. */
export const answerHeaders = (method: DocumentedMethod): Pick<Response, "headers"> => {
  if (method.definition.readsCatalogue) return { headers: catalogueHeaders };
  return readsIndex(method)
    ? {
        headers: {
          [indexSeqnoHeader]: {
            description: "The last masterchain block that the index had when the answer was read from it.",
            schema: seqno,
          },
        },
      }
    : {};
};

const catalogueHeaders = {
  "X-Acton-Catalog-Revision": {
    description: "SHA-256 of the catalogue, in hex; absent without one.",
    schema: { type: "string" },
  },
} as const;

/** Whether answers are read from the index, or have an address book, which is. */
function readsIndex({ api, definition }: DocumentedMethod): boolean {
  const { kind } = definition.freshness;
  return api === "v3" && (kind === "index" || kind === "both" || hasAddressBook(definition.result));
}

function hasAddressBook(result: unknown): boolean {
  return result instanceof z.ZodObject && "address_book" in result.shape;
}

export const jsonRpcPath = "/api/v2/jsonRPC";

/** The JSON-RPC and health check operations of v2. */
export function serviceOperations(api: Api): Record<string, PathItem> {
  return api !== "v2"
    ? {}
    : { [jsonRpcPath]: { post: jsonRpc }, "/api/v2/healthcheck": { get: healthcheck } };
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
    code: { type: "integer", format: "int32" },
    "@extra": extra,
    jsonrpc: { const: "2.0" },
    id,
  },
  required: ["ok", "jsonrpc"],
};

/** The answer to a batch that fails as a whole. */
const strictFailure: JsonSchema = {
  type: "object",
  properties: {
    jsonrpc: { const: "2.0" },
    id: { type: "null" },
    ok: { type: "boolean", const: false },
    error: {
      type: "object",
      properties: {
        code: { type: "integer", format: "int32" },
        message: { type: "string" },
        data: { type: "object" },
      },
      required: ["code", "message"],
    },
  },
  required: ["jsonrpc", "id", "error"],
};

const failed = {
  description: "A failed call, or a batch that failed as a whole.",
  content: { "application/json": { schema: { anyOf: [answer, strictFailure] } } },
};

const jsonRpc: Operation = {
  operationId: "jsonRPC",
  tags: ["JSON-RPC"],
  summary: "Call any method by name.",
  description:
    "A single call is answered in the REST envelope, with the same statuses. A batch is answered by strict JSON-RPC 2.0, see `/openrpc.json`.",
  requestBody: {
    required: true,
    content: { "application/json": { schema: { anyOf: [call, { type: "array", items: call }] } } },
  },
  responses: {
    200: {
      description: "The answer, or the answers of a batch.",
      content: {
        "application/json": {
          schema: { anyOf: [answer, { type: "array", items: { type: "object" } }, strictFailure] },
        },
      },
    },
    204: { description: "A batch of notifications, which have no answers." },
    "4XX": failed,
    "5XX": failed,
  },
};

const healthcheck: Operation = {
  operationId: "healthcheck",
  tags: ["Service"],
  summary: "Readiness of the service.",
  description: "For load balancers. It needs no key and costs no points.",
  security: [{}],
  parameters: [
    {
      name: "only",
      in: "query",
      description:
        "Calls that must be answered: those that read the chain (v2) or the index (v3), what is stored (writes), v2 or v3 (any), or all of them, and as well as usual (all). Default: the operator's choice.",
      schema: { type: "string", enum: healthScopes },
    },
  ],
  responses: {
    200: {
      description: "Ready, perhaps without some of the calls.",
      content: { "application/json": { schema: { const: "OK" } } },
    },
    422: {
      description: "`only` has another value.",
      content: { "application/json": { schema: failure } },
    },
    503: {
      description: "Not ready; the body has the reason.",
      content: { "application/json": { schema: failure } },
    },
  },
};
