import { restPaths } from "../../../shared/methods/define.js";
import { type ErrorCode, errorTable } from "../../../shared/rpc/errors.js";
import type { JsonSchema, OpenRpcDocument, OpenRpcMethod } from "../../../shared/rpc/open-rpc.js";
import {
  notificationParams,
  tonNotificationParams,
} from "../../../shared/schema/streams/subscription-events.js";
import { pascal } from "../../../shared/values/type-names.js";
import { errorData, refusedExample } from "./error-data.js";
import { commonFailures, ownFailures } from "./failures.js";
import type { DocumentedMethod, ServiceIdentity } from "./methods.js";
import { openRpcComponents, openRpcSchema } from "./openrpc-schemas.js";
import { SchemaCollection } from "./schemas.js";
import { rpcServers } from "./servers.js";

/** The OpenRPC document of all methods; aliases are listed as deprecated methods. */
export function openRpc(
  methods: readonly DocumentedMethod[],
  { version, network, publicUrl }: ServiceIdentity,
): OpenRpcDocument {
  const schemas = new SchemaCollection();
  const servers = rpcServers(publicUrl);
  const described = methods.flatMap((method) => withAliases(method, schemas));
  return {
    openrpc: "1.2.6",
    info: {
      title: "tonwire",
      version,
      description: `JSON-RPC 2.0 access to the ${network} at /jsonRPC: single calls and batches by POST, and WebSocket.`,
      "x-network": network,
    },
    ...(servers.length > 0 && { servers }),
    methods: described,
    "x-common-errors": commonFailures("POST").map(errorReference),
    "x-error-data": errorData,
    "x-notifications": [
      {
        name: "subscription",
        summary: "An event of a subscription, sent over its WebSocket.",
        params: schemas.of(notificationParams, "output"),
      },
      {
        name: "ton_subscription",
        summary: "An event of a subscription by `ton_subscribe`, sent over its WebSocket.",
        params: schemas.of(tonNotificationParams, "output"),
      },
    ],
    components: {
      schemas: openRpcComponents(
        schemas.intersected,
        described.map(({ name }) => name),
      ),
      errors: Object.fromEntries(
        Object.entries(errorTable).map(([kind, { http, jsonRpc, text, strictText }]) => [
          kind,
          {
            code: jsonRpc,
            message: strictText ?? text,
            data: { code: http, kind, ...(kind === "invalid-params" && refusedExample) },
          },
        ]),
      ),
    },
  };
}

function withAliases(method: DocumentedMethod, schemas: SchemaCollection): OpenRpcMethod[] {
  const described = describe(method, schemas);
  const aliases = (method.definition.aliases ?? []).map(
    (name): OpenRpcMethod => ({
      ...described,
      name,
      description: `Alias of \`${method.name}\`.`,
      deprecated: true,
    }),
  );
  return [described, ...aliases];
}

function describe({ name, definition }: DocumentedMethod, schemas: SchemaCollection): OpenRpcMethod {
  const { properties, required = [] } = schemas.params(definition);
  const paths = restPaths(name, definition);
  return {
    name,
    summary: definition.summary,
    ...(definition.description !== undefined && { description: definition.description }),
    tags: [{ name: definition.group }],
    paramStructure: "either",
    params: Object.entries(properties).map(([param, { description, ...schema }]) => ({
      name: param,
      ...(description !== undefined && { description }),
      ...(required.includes(param) && { required: true }),
      schema: openRpcSchema(schema),
    })),
    result: resultOf(name, schemas.result(definition)),
    errors: ownFailures(definition, "POST").map(errorReference),
    examples: definition.examples.map(({ params, result }, index) => ({
      name: `example${index + 1}`,
      params: Object.entries(params).map(([param, value]) => ({ name: param, value })),
      result: { name: "result", value: result },
    })),
    ...(paths.length > 0 && { "x-rest": { verbs: definition.verbs, paths } }),
    "x-freshness": definition.freshness.kind,
  };
}

const errorReference = (code: ErrorCode) => ({ $ref: `#/components/errors/${code}` });

function resultOf(method: string, { description, ...schema }: JsonSchema) {
  // Without a title, @open-rpc/generator names a record in one way where it defines it and in another where it uses it.
  const title = schema.properties && { title: `${pascal(method)}Answer` };
  return {
    name: "result",
    ...(description !== undefined && { description }),
    schema: openRpcSchema({ ...title, ...schema }),
  };
}
