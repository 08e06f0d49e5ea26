import type { Verb } from "../../../shared/methods/define.js";
import { type ErrorCode, errorTable } from "../../../shared/rpc/errors.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { groupBy } from "../../../shared/values/groups.js";
import { type Api, ServiceError } from "../../errors.js";
import { v2Failure } from "../../rpc/json-rpc/v2-envelope.js";
import { ParamReader } from "../../rpc/params/params.js";
import { statusOn } from "../answers/refusal.js";
import { v4Failure } from "../answers/v4-failures.js";
import type { DocumentedMethod } from "./methods.js";
import type { Content, Media, Response } from "./openapi-document.js";
import { componentPrefix } from "./subschemas.js";

const words = {
  sentence: { type: "string", description: "Why a message was refused, in a sentence." },
  hint: { type: "string", description: "What can be done about it." },
} as const;

/** Schemas of error answers, by the names of their components. */
export const errorSchemas: Record<Api, Record<string, JsonSchema>> = {
  v2: {
    Failure: {
      type: "object",
      description: "A refused or failed call.",
      properties: {
        ok: { type: "boolean", const: false },
        error: { type: "string", description: "The reason of the failure." },
        result: { type: "string", description: "The same message, if the rate limit was exceeded." },
        code: { type: "integer", format: "int32", description: "The HTTP status." },
        "@extra": { type: "string" },
        ...words,
      },
      required: ["ok", "error", "code"],
    },
  },
  v3: {
    Failure: {
      type: "object",
      description: "A refused or failed call.",
      properties: { error: { type: "string", description: "The reason of the failure." }, ...words },
      required: ["error"],
    },
  },
  v4: {
    Failure: {
      type: "string",
      description: "The status and a reason. A call that fails, whatever the reason, has the status 500.",
    },
  },
};

export const failure: JsonSchema = { $ref: `${componentPrefix}Failure` };

const hasRetryAfter = (code: ErrorCode) =>
  errorTable[code].http === 429 || errorTable[code].retryAfterSec !== undefined;
const retryAfter = {
  "Retry-After": {
    description: "Seconds to wait.",
    schema: { type: "integer", format: "int32", minimum: 1 },
  },
};

/** Error responses by HTTP status, each with one example per error code. */
export function errorResponses(method: DocumentedMethod, codes: readonly ErrorCode[], verb: Verb) {
  const errors = codes.flatMap((code) =>
    code === "invalid-params" ? paramsRefusals(method, verb) : new ServiceError(code),
  );
  const byStatus = groupBy(errors, (error) => statusOn(method.api, error));
  const responses = [...byStatus].map(([status, errors]) => [status, response(method.api, errors)]);
  return Object.fromEntries(responses) as Record<string, Response>;
}

function response(api: Api, errors: readonly ServiceError[]): Response {
  const examples = errors.map((error) => [error.code, { value: body(api, error) }]);
  return {
    description: errors.map((error) => error.code).join(", "),
    ...(errors.some(({ code }) => hasRetryAfter(code)) && { headers: retryAfter }),
    content: mediaOf(api, { schema: failure, examples: Object.fromEntries(examples) }),
  };
}

function mediaOf(api: Api, content: Content): Media {
  return { [api === "v4" ? "text/plain" : "application/json"]: content };
}

function body(api: Api, error: ServiceError): unknown {
  if (api === "v4") return v4Failure(error);
  return api === "v3" ? { error: error.textIn(api) } : JSON.parse(v2Failure(error, "1767225600:0:12", api));
}

/** Missing parameters may be refused with another status than invalid ones. */
function paramsRefusals(method: DocumentedMethod, verb: Verb): ServiceError[] {
  const [nothing, wrong] = [paramsRefusal(method, verb), new ServiceError("invalid-params")];
  return nothing.statusIn(method.api) === wrong.statusIn(method.api) ? [nothing] : [nothing, wrong];
}

/** The error for a call without parameters, if the method requires any. */
function paramsRefusal({ api, definition }: DocumentedMethod, verb: Verb): ServiceError {
  try {
    new ParamReader(definition.params, api).read(verb === "GET" ? { query: [] } : { object: {} });
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  return new ServiceError("invalid-params");
}
