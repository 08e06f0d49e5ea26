import type { Caller } from "../../access/access.js";
import { ServiceError } from "../../errors.js";
import type { Log } from "../../observe/log.js";
import type { JsonRpc } from "../../rpc/json-rpc/json-rpc.js";
import { CallerCalls } from "../caller-calls.js";
import type { Clock } from "../clock.js";
import type { Route } from "../routes.js";
import { needsUpgrade } from "../sockets/needs-upgrade.js";
import type { OpenSocket, SocketService } from "../sockets/websocket.js";
import { AdapterConnection, type AdapterDeps } from "./adapter-connection.js";

const path = "/api/v3/debug/dap";
/** Sessions keep runs: of a caller, and of all. */
const limits = { ofCaller: 16, all: 256 } as const;

type EndpointDeps = Omit<AdapterDeps, "calls"> & {
  readonly rpc: JsonRpc;
  readonly clock?: Clock | undefined;
  readonly log: Pick<Log, "error">;
};

/** `/api/v3/debug/dap`: the Debug Adapter Protocol over WebSockets. */
export class AdapterEndpoint {
  readonly #deps: AdapterDeps & Pick<EndpointDeps, "log">;
  readonly #open = new Set<AdapterConnection>();

  constructor({ rpc, clock, ...deps }: EndpointDeps) {
    this.#deps = { ...deps, calls: new CallerCalls({ rpc, clock }) };
  }

  /** Refusals of requests without an upgrade. */
  get routes(): [path: string, route: Route][] {
    return [[path, { surface: "v3", handlers: { GET: needsUpgrade } }]];
  }

  get services(): ReadonlyMap<string, SocketService> {
    const service: SocketService = {
      admit: (_, caller) => this.#admit(caller),
      open: (socket) => this.#serve(socket),
    };
    return new Map([[path, service]]);
  }

  #admit({ id }: Caller): undefined {
    const own = [...this.#open].filter(({ caller }) => caller.id === id).length;
    if (own >= limits.ofCaller || this.#open.size >= limits.all) throw new ServiceError("rate-limited");
  }

  #serve(socket: OpenSocket): AdapterConnection {
    const { log } = this.#deps;
    const onDefect = (error: unknown) =>
      log.error({ err: error, caller: socket.caller.id }, "a debug adapter failed");
    const connection = new AdapterConnection({ ...this.#deps, ...socket, onDefect });
    this.#open.add(connection);
    socket.webSocket.once("close", () => this.#open.delete(connection));
    return connection;
  }
}
