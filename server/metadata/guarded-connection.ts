import { type IncomingMessage, request } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { itemAt } from "../../shared/values/lookups.js";
import { loopbackOf } from "../os/loopback.js";
import { hostOf, isPublicAddress } from "../os/public-address.js";
import { FetchError } from "./fetch-error.js";
import type { MetadataNetwork } from "./network.js";

/** The network of connections to hosts that strangers name, and the addresses that it may connect to. */
export type GuardOptions = {
  network: MetadataNetwork;
  /** Which addresses may be connected to. Default: those of the public internet. */
  allows?: (address: string) => boolean;
};

/** A request to a host. */
type Asked = {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Uint8Array;
};

const maxHeaderSize = 16 * 1024;

/**
 * Connects to the host of an untrusted URL. Connects only to allowed addresses: names are resolved here, each address is
 * checked, and the connection uses the checked address. Throws a FetchError.
 */
export async function connectGuarded(
  url: URL,
  { network, allows = isPublicAddress }: GuardOptions,
  signal: AbortSignal,
): Promise<Duplex> {
  const tls = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (tls ? 443 : 80) : Number(url.port);
  const own = loopbackOf(hostOf(url))?.filter(allows);
  const addresses = own ?? [await allowedAddress(host, network, allows, signal)];
  if (addresses.length === 0) throw new FetchError("address");
  for (const address of addresses.slice(0, -1)) {
    // The next address may answer; the error of the last one is thrown.
    const socket = await network.connect({ address, port, host, tls }, signal).catch(() => undefined);
    if (socket) return socket;
  }
  return network.connect({ address: itemAt(addresses, -1), port, host, tls }, signal).catch((error) => {
    throw new FetchError("connection", error);
  });
}

/** The first address of a host, if all are allowed: a name with additional private addresses is not accepted. */
async function allowedAddress(
  host: string,
  network: MetadataNetwork,
  allows: (address: string) => boolean,
  signal: AbortSignal,
): Promise<string> {
  const addresses = isIP(host) === 0 ? await resolve(host, network, signal) : [host];
  const [first] = addresses;
  if (first === undefined) throw new FetchError("name");
  if (!addresses.every(allows)) throw new FetchError("address");
  return first;
}

async function resolve(host: string, network: MetadataNetwork, signal: AbortSignal): Promise<string[]> {
  try {
    return await network.resolve(host, signal);
  } catch (error) {
    throw new FetchError("name", error);
  }
}

/** Sends a request over a connection, which closes afterwards. Resolves with the head of the answer. */
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
    // Rejects if there is no answer, for example after an upgrade.
    asked.once("close", () => reject(new FetchError("connection")));
    asked.end(body);
  });
}
