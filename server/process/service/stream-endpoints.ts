import type { Access } from "../../access/access.js";
import { StreamConnections } from "../../http/streaming/connections.js";
import { Streaming } from "../../http/streaming/streaming.js";
import { EventSources } from "../../http/subscriptions/event-source.js";
import { openSubscriptions } from "../../http/subscriptions/socket-subscriptions.js";
import type { StreamNumbers } from "../../observe/part-metrics.js";
import type { Hub } from "../../stream/hub.js";
import type { Context } from "../context/context.js";

/** Opens every way to follow events; they share one count of connections. */
export function openStreamEndpoints(
  { config, clock, health, log, metrics }: Context,
  access: Access,
  hub: Hub,
) {
  const connections = new StreamConnections({ clock, shared: access.holdings });
  const deps = { hub, connections, access, clock };
  const streaming = new Streaming({ ...deps, health, log, maxBodyBytes: config.maxBodyBytes });
  const eventSources = new EventSources(deps);
  metrics.watchStreams(() => streamNumbers(hub, connections));
  return {
    routes: [...streaming.routes, ...eventSources.routes],
    services: streaming.services,
    openSubscriptions: openSubscriptions(deps),
    close() {
      streaming.close();
      eventSources.close();
      connections.close();
    },
  };
}

function streamNumbers(hub: Hub, connections: StreamConnections): StreamNumbers {
  const { subscriptions, accounts, lagging, counts } = hub;
  const { resumes, resumedUnits, dropped, events, delay } = counts;
  return {
    connections: connections.size,
    subscriptions,
    accounts,
    lagging,
    resumes,
    resumedUnits,
    dropped,
    events,
    delay,
  };
}
