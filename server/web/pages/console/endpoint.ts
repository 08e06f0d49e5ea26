/** A raw, unparsed answer. */
export type Reply = {
  readonly text: string;
  /** HTTP status; answers over a WebSocket have none. */
  readonly status?: number;
  readonly retryAfter?: string;
};

/** Sends JSON-RPC requests to the service of this page. */
interface Endpoint {
  /** Rejects if no answer can arrive. */
  send(body: string, key: string): Promise<Reply>;
}

/** Sends each request as a POST. */
export class HttpEndpoint implements Endpoint {
  async send(body: string, key: string): Promise<Reply> {
    const response = await fetch("/jsonRPC", {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", ...(key !== "" && { "X-API-Key": key }) },
    });
    const retryAfter = response.headers.get("Retry-After");
    const text = await response.text();
    return { text, status: response.status, ...(retryAfter !== null && { retryAfter }) };
  }
}

type Waiting = { resolve: (reply: Reply) => void; reject: (reason: Error) => void };
type Connection = {
  readonly socket: WebSocket;
  readonly key: string;
  readonly waiting: Map<string, Waiting>;
};

/** Receives a connection's messages other than answers. */
type Listener = {
  /** Returns whether the message is no answer. */
  readonly take: (text: string) => boolean;
  readonly lost: () => void;
};

/** Keeps one connection open; reconnects when it was lost or the key changes. */
export class SocketEndpoint implements Endpoint {
  readonly #listener: Listener;
  #connection: Connection | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  async send(body: string, key: string): Promise<Reply> {
    const { socket, waiting } = this.#connect(key);
    if (socket.readyState === WebSocket.CONNECTING) await opened(socket);
    return new Promise((resolve, reject) => {
      waiting.set(idOf(body) ?? "", { resolve, reject });
      socket.send(body);
    });
  }

  #connect(key: string): Connection {
    const current = this.#connection;
    if (current?.key === key && current.socket.readyState <= WebSocket.OPEN) return current;
    if (current) {
      // Later messages of this connection belong to lost subscriptions.
      this.#listener.lost();
      current.socket.close();
    }
    const url = new URL("/jsonRPC", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    if (key !== "") url.searchParams.set("api_key", key);
    const connection: Connection = { socket: new WebSocket(url), key, waiting: new Map() };
    this.#connection = connection;
    listen(connection, {
      take: (text) => this.#listener.take(text),
      lost: () => this.#connection === connection && this.#listener.lost(),
    });
    return connection;
  }
}

function listen({ socket, waiting }: Connection, { take, lost }: Listener): void {
  socket.addEventListener("message", ({ data }) => {
    const text = String(data);
    if (take(text)) return;
    // An error without an id answers an unreadable message: the oldest call, since it was sent first.
    const id = idOf(text) ?? [...waiting.keys()][0] ?? "";
    waiting.get(id)?.resolve({ text });
    waiting.delete(id);
  });
  socket.addEventListener("close", ({ code, reason }) => {
    const why = reason === "" ? "" : `: ${reason}`;
    for (const { reject } of waiting.values()) reject(new Error(`the connection was closed (${code}${why})`));
    waiting.clear();
    lost();
  });
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("close", () => reject(new Error("the service did not accept the WebSocket")), {
      once: true,
    });
  });
}

/** The id of a call or answer; for a batch, the id of its first entry. */
function idOf(text: string): string | undefined {
  const message = JSON.parse(text) as unknown;
  const first = (Array.isArray(message) ? message[0] : message) as { id?: unknown } | undefined;
  return first?.id === undefined || first.id === null ? undefined : String(first.id);
}
