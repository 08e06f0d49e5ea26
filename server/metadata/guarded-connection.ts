import { type IncomingMessage, request } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { isLoopbackAddress, isLoopbackName } from "../os/loopback.js";
import { isPublicAddress } from "../os/public-address.js";
import { FetchError } from "./fetch-error.js";
import type { MetadataNetwork } from "./network.js";

export type GuardOptions = {
  network: MetadataNetwork;
  /** Whether hosts of this machine may be connected to as well: it is the caller's own. */
  loopback?: boolean;
};

/** What is asked of a host. */
export type Asked = {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Uint8Array;
};

const maxHeaderSize = 16 * 1024;

/**
 * Connects to the host of a URL, which somebody has chosen whom nobody vouches for. Only public addresses are connected to:
 * names are resolved here, each address is checked, and the connection goes to the address that was checked. Throws a
 * FetchError.
 */
export async function connectGuarded(
  url: URL,
  { network, loopback = false }: GuardOptions,
  signal: AbortSignal,
): Promise<Duplex> {
  const tls = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (tls ? 443 : 80) : Number(url.port);
  const addresses =
    loopback && isLoopbackName(host) ? loopbackOf(host) : [await publicAddress(host, network, signal)];
  for (const address of addresses.slice(0, -1)) {
    const socket = await network.connect({ address, port, host, tls }, signal).catch(() => undefined);
    if (socket) return socket;
  }
  return network.connect({ address: addresses.at(-1)!, port, host, tls }, signal).catch((error) => {
    throw new FetchError("connection", error);
  });
}

/** A name of this machine stands for both families. */
function loopbackOf(host: string): string[] {
  return isLoopbackAddress(host) ? [host] : ["127.0.0.1", "::1"];
}

/** The first address of a host, if all are public: a name with others as well is no name of a public server. */
async function publicAddress(host: string, network: MetadataNetwork, signal: AbortSignal): Promise<string> {
  const addresses = isIP(host) === 0 ? await resolve(host, network, signal) : [host];
  const [first] = addresses;
  if (first === undefined) throw new FetchError("name");
  if (!addresses.every(isPublicAddress)) throw new FetchError("address");
  return first;
}

async function resolve(host: string, network: MetadataNetwork, signal: AbortSignal): Promise<string[]> {
  try {
    return await network.resolve(host, signal);
  } catch (error) {
    throw new FetchError("name", error);
  }
}

/** Sends a request over a connection, which ends with it. Resolves with the head of the answer. */
export function ask(
  url: URL,
  socket: Duplex,
  { method, headers, body }: Asked,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      setHost: false,
      headers: { host: url.host, ...headers, connection: "close" },
      maxHeaderSize,
      signal,
    });
    asked.once("response", resolve);
    asked.on("error", (error) => {
      socket.destroy();
      const isOfParser = "code" in error && String(error.code).startsWith("HPE_");
      reject(new FetchError(isOfParser ? "headers" : "connection", error));
    });
    // Without an answer, such as after an upgrade.
    asked.once("close", () => reject(new FetchError("connection")));
    asked.end(body);
  });
}
