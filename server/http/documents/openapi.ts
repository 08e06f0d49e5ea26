import { pathParams, type RestForm, restForms, type Verb } from "../../../shared/methods/define.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { memberOf } from "../../../shared/values/lookups.js";
import type { Api } from "../../errors.js";
import { apiVersion } from "../answers/headers.js";
import { failuresOf } from "./failures.js";
import type { DocumentedMethod, ServiceIdentity } from "./methods.js";
import type { Media, OpenApiDocument, Operation, Parameter, PathItem } from "./openapi-document.js";
import { errorResponses, errorSchemas } from "./openapi-errors.js";
import {
  answerHeaders,
  envelope,
  parameterRefs,
  requestOptions,
  serviceOperations,
} from "./openapi-parts.js";
import { webhooksOf } from "./openapi-webhooks.js";
import { SchemaCollection } from "./schemas.js";
import { restServers } from "./servers.js";
import { tagsOf } from "./tags.js";

type OpenApiOptions = ServiceIdentity & { api: Api };

type Paths = Record<string, PathItem>;

/** The OpenAPI 3.1 document of one REST interface. */
export function openApi(
  methods: readonly DocumentedMethod[],
  { api, version, network, publicUrl }: OpenApiOptions,
): OpenApiDocument {
  const schemas = new SchemaCollection();
  const served = methods.filter((method) => method.api === api && method.definition.verbs.length > 0);
  const paths: Paths = {};
  for (const method of served) Object.assign(paths, pathsOf(method, schemas));
  Object.assign(paths, serviceOperations(api));
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const webhooks = served.some(({ name }) => name === "v3.webhooks.create") && webhooksOf(schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: `tonwire, API ${api}`,
      version: apiVersion(api, version),
      description: describe[api](network),
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      contact: { name: "The operator of this service", ...(publicUrl !== undefined && { url: publicUrl }) },
    },
    servers: restServers(publicUrl),
    security: [{ apiKeyHeader: [] }, { apiKeyQuery: [] }, {}],
    tags: tagsOf(operations.flatMap(({ tags }) => tags)),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: { ...schemas.components, ...errorSchemas[api] },
      parameters: requestOptions(api),
      securitySchemes: {
        apiKeyHeader: { type: "apiKey", in: "header", name: "X-API-Key" },
        apiKeyQuery: { type: "apiKey", in: "query", name: "api_key" },
      },
    },
  };
}

const describe: Record<Api, (network: string) => string> = {
  v2: (network) =>
    `Blocks, accounts, transactions and messages of the ${network}, read directly from the chain. Answers have an ` +
    "envelope: `ok: true` with `result`, or `ok: false` with `error` and `code`.",
  v3: (network) =>
    `The indexed history of the ${network}. Answers are plain records; errors are \`{error}\`.`,
  v4: (network) =>
    `The ${network} for TonClient4 of @ton/ton: blocks, accounts and get-methods at named blocks, which proxies may ` +
    "keep. Answers are plain records; errors are text. WebSockets at `/api/v4/block/watch` and " +
    "`/api/v4/block/watch/changed` get each new block.",
};

function pathsOf(method: DocumentedMethod, schemas: SchemaCollection): Paths {
  const ids = new Set<string>();
  return Object.fromEntries(
    restForms(method.name, method.definition).map((form) => {
      const { path, name, verbs, isAlias } = form;
      // A second path of the same name has one more parameter.
      const id = ids.has(name) ? `${name}.${pathParams(path).at(-1)}` : name;
      ids.add(name);
      const operations = verbs.map((verb) => {
        const operation = {
          operationId: verb === "GET" ? id : `${id}Post`,
          ...operationOf(method, form, verb, schemas),
          ...(isAlias && { deprecated: true }),
        };
        return [verb.toLowerCase(), operation];
      });
      return [path.replaceAll(/:(\w+)/g, "{$1}"), Object.fromEntries(operations)];
    }),
  );
}

function operationOf(
  method: DocumentedMethod,
  { path }: RestForm,
  verb: Verb,
  schemas: SchemaCollection,
): Omit<Operation, "operationId"> {
  const { api, definition } = method;
  const all = schemas.params(definition);
  const inPath = pathParams(path);
  const params = without(all, inPath);
  return {
    tags: [definition.group],
    // Summaries are plain text, descriptions are Markdown.
    summary: definition.summary.replaceAll("`", ""),
    description: definition.description ?? definition.summary,
    parameters: [
      ...inPath.map((name) => pathParameter(name, all)),
      ...(verb === "GET" ? queryParameters(params) : []),
      ...parameterRefs(method),
    ],
    ...(verb === "POST" && { requestBody: requestBody(method, params) }),
    responses: {
      200: {
        description: "The answer.",
        ...answerHeaders(method),
        content: json(envelope(api, schemas.result(definition)), answerExamples(method)),
      },
      ...errorResponses(method, failuresOf(definition, verb), verb),
    },
  };
}

function queryParameters({ properties, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description !== undefined && { description }),
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

function pathParameter(name: string, { properties = {} }: JsonSchema): Parameter {
  const { description, ...schema } = memberOf(properties, name);
  return { name, in: "path", ...(description !== undefined && { description }), required: true, schema };
}

/** The parameters that are not in the path. */
function without(
  { properties = {}, required = [], ...params }: JsonSchema,
  names: readonly string[],
): JsonSchema {
  const left = required.filter((name) => !names.includes(name));
  return {
    ...params,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(left.length > 0 && { required: left }),
  };
}

function requestBody({ definition: { textBody, examples: all } }: DocumentedMethod, params: JsonSchema) {
  if (textBody !== undefined)
    return { content: { "text/plain": { schema: memberOf(params.properties ?? {}, textBody) } } };
  const examples = all.map(({ params: value }) => value);
  return {
    ...(params.required !== undefined && { required: true }),
    content: json(params, examples),
  };
}

function answerExamples({ api, definition }: DocumentedMethod): unknown[] {
  return definition.examples.map(({ result }) =>
    api === "v2" ? { ok: true, result, "@extra": "1767225600:0:12" } : result,
  );
}

function json(schema: JsonSchema, values: readonly unknown[]): Media {
  const examples = Object.fromEntries(values.map((value, index) => [`example${index + 1}`, { value }]));
  return { "application/json": { schema, examples } };
}
