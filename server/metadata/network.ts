import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect as connectPlain, isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";

/** The connection goes to `address`; with `tls` its certificate must be for `host`, a name or the same address. */
export type Endpoint = { address: string; port: number; host: string; tls: boolean };

/** Network access of the fetcher. The fetcher decides which addresses are allowed. */
export interface MetadataNetwork {
  /** All IP addresses of a host name, IPv4 first. */
  resolve(name: string, signal: AbortSignal): Promise<string[]>;
  /** Resolves once the connection can be written to. */
  connect(endpoint: Endpoint, signal: AbortSignal): Promise<Duplex>;
}

/** The internet. Names are resolved by DNS servers only, because the machine's hosts file may contain private hosts. */
export const internet: MetadataNetwork = {
  async resolve(name, signal) {
    const resolver = new Resolver({ timeout: 5000, tries: 2 });
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  },

  async connect({ address, port, host, tls }, signal) {
    const at = { host: address, port };
    // TLS allows no address as server name; the certificate is then checked against `at.host`.
    const socket = tls
      ? connectTls({ ...at, ...(isIP(host) === 0 && { servername: host }) })
      : connectPlain(at);
    try {
      await once(socket, tls ? "secureConnect" : "connect", { signal });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    // An error before the request has attached its listener would crash the process.
    return socket.on("error", () => {});
  },
};
