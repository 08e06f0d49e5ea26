import type { z } from "zod";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import {
  notification,
  streamEvent,
  tonNotification,
} from "../../../shared/schema/streams/subscription-events.js";
import { subscribeParams } from "../../../shared/schema/streams/subscription-params.js";
import {
  socketRequest,
  streamAnswer,
  streamRequest,
  tonCenterEvent,
} from "../../../shared/schema/streams/ton-center-streams.js";
import { v4WatchedBlock, v4WatchedChanges } from "../../../shared/schema/v4/records.js";
import type { DocumentedMethod, ServiceIdentity } from "./methods.js";
import { SchemaCollection } from "./schemas.js";
import { streamServers } from "./servers.js";

const group = "Subscriptions";

/** The AsyncAPI document of the streaming protocols: subscriptions of JSON-RPC, TON Center's, and the blocks of v4. */
export function asyncApi(
  methods: readonly DocumentedMethod[],
  { version, network, publicUrl }: ServiceIdentity,
): object {
  const schemas = new SchemaCollection();
  const calls = methods.filter(({ definition }) => definition.group === group);
  const of: SchemaOf = (schema, io = "output") => schemas.of(schema, io);
  const messages = {
    ...Object.fromEntries(
      calls.map(({ name, definition }) => [
        idOf(name),
        message(name, definition.summary, callOf(name, schemas.params(definition))),
      ]),
    ),
    ...Object.fromEntries(
      calls.map(({ name, definition }) => [
        `${idOf(name)}Answer`,
        message(`${name} answer`, "The answer.", answerOf(schemas.result(definition))),
      ]),
    ),
    notification: message("subscription", "An event of a subscription.", of(notification)),
    tonNotification: message(
      "ton_subscription",
      "An event of a subscription by `ton_subscribe`.",
      of(tonNotification),
    ),
    ...messagesOfStreams(of),
  };
  const notifications = ["notification", "tonNotification"];
  const requests = calls.map(({ name }) => idOf(name));
  const channels = {
    jsonRpc: channel("webSocket", "/jsonRPC", "Subscriptions of JSON-RPC 2.0 over WebSocket.", [
      ...requests,
      ...requests.map((id) => `${id}Answer`),
      ...notifications,
    ]),
    events: {
      ...channel("http", "/api/streaming/events", "A subscription for EventSource, by server-sent events.", [
        "event",
      ]),
      bindings: { http: { query: schemas.of(subscribeParams, "input") } },
    },
    socket: channel("webSocket", "/api/streaming/v2/ws", "TON Center's protocol over WebSocket.", [
      "socketRequest",
      "streamAnswer",
      "streamEvent",
    ]),
    stream: channel("http", "/api/streaming/v2/sse", "TON Center's protocol by server-sent events.", [
      "streamRequest",
      "streamAnswer",
      "streamEvent",
    ]),
    blocks: channel("webSocket", "/api/v4/block/watch", "Each new masterchain block, and the last at once.", [
      "watchedBlock",
    ]),
    changes: channel(
      "webSocket",
      "/api/v4/block/watch/changed",
      "The accounts that each new block changed.",
      ["watchedChanges"],
    ),
  };
  return {
    asyncapi: "3.0.0",
    info: {
      title: "tonwire, streaming",
      version,
      description: `What happens on the ${network}, as it happens.`,
    },
    servers: streamServers(publicUrl),
    channels,
    operations: {
      subscribe: operation("receive", "jsonRpc", requests),
      notify: operation("send", "jsonRpc", [...requests.map((id) => `${id}Answer`), ...notifications]),
      sendEvents: operation("send", "events", ["event"]),
      request: operation("receive", "socket", ["socketRequest"]),
      answer: operation("send", "socket", ["streamAnswer", "streamEvent"]),
      open: operation("receive", "stream", ["streamRequest"]),
      stream: operation("send", "stream", ["streamAnswer", "streamEvent"]),
      watchBlocks: operation("send", "blocks", ["watchedBlock"]),
      watchChanges: operation("send", "changes", ["watchedChanges"]),
    },
    components: { messages, schemas: schemas.components },
  };
}

type SchemaOf = (schema: z.ZodType, io?: "input" | "output") => JsonSchema;

const message = (name: string, summary: string, payload: JsonSchema) => ({ name, summary, payload });

/** Messages that are no JSON-RPC. */
function messagesOfStreams(of: SchemaOf) {
  return {
    event: message(
      "event",
      "A frame: its type in `event`, its cursor in `id`. `finality`, `id` and `replaces` are in the data if less than `finalized` was asked for.",
      of(streamEvent),
    ),
    streamRequest: message("request", "The body of the request.", of(streamRequest, "input")),
    socketRequest: message("request", "A request.", of(socketRequest, "input")),
    streamAnswer: message("answer", "An answer.", of(streamAnswer)),
    streamEvent: message("event", "An event.", of(tonCenterEvent)),
    watchedBlock: message("block", "A new block.", of(v4WatchedBlock)),
    watchedChanges: message("changes", "The accounts that a new block changed.", of(v4WatchedChanges)),
  };
}

/** Names of components have no dots. */
function idOf(name: string): string {
  return name.replaceAll(".", "_");
}

function channel(
  server: keyof ReturnType<typeof streamServers>,
  address: string,
  description: string,
  messages: readonly string[],
) {
  const entries = messages.map((id) => [id, { $ref: `#/components/messages/${id}` }]);
  const servers = [{ $ref: `#/servers/${server}` }];
  return { address, servers, description, messages: Object.fromEntries(entries) };
}

function operation(action: "send" | "receive", name: string, messages: readonly string[]) {
  return {
    action,
    channel: { $ref: `#/channels/${name}` },
    messages: messages.map((id) => ({ $ref: `#/channels/${name}/messages/${id}` })),
  };
}

const id: JsonSchema = { type: ["string", "number", "null"] };

function callOf(method: string, params: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { jsonrpc: { const: "2.0" }, id, method: { const: method }, params },
    required: ["jsonrpc", "id", "method", "params"],
  };
}

function answerOf(result: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { jsonrpc: { const: "2.0" }, id, ok: { const: true }, result },
    required: ["jsonrpc", "id", "ok", "result"],
  };
}
