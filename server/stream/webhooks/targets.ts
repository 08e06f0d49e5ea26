import { type BlockList, isIP, isIPv6 } from "node:net";
import { isLoopbackAddress, loopbackOf } from "../../os/loopback.js";
import { hasCredentials, hasWebPort, hostOf, isPublicAddress, mayBePublic } from "../../os/public-address.js";

type TargetsOptions = {
  /** Whether public hosts may receive by HTTP too. */
  isDevnet: boolean;
  /** Networks that the operator allows besides public ones. */
  networks: BlockList | undefined;
};

/**
 * Decides which addresses deliveries may connect to: web ports of public hosts, any port in the operator's networks, and any port
 * of this machine if the webhook has the right `loopback`.
 */
export class Targets {
  readonly #options: TargetsOptions;

  constructor(options: TargetsOptions) {
    this.#options = options;
  }

  /** The reason why a URL must not receive deliveries; `undefined` if it may, judging by the URL alone. */
  refusal(url: URL, loopback: boolean): string | undefined {
    if (url.protocol !== "https:" && url.protocol !== "http:") return insecure;
    if (hasCredentials(url)) return "url must not have a user or a password";
    if (this.#mayBeInner(url, loopback)) return undefined;
    if (!this.#isSafe(url)) return insecure;
    if (!mayBePublic(url)) return "url must name a public host";
    return hasWebPort(url) ? undefined : "url must use port 443 or 80";
  }

  /** Whether a delivery may connect to an address of the URL's host: names are judged at each attempt. */
  allows(url: URL, loopback: boolean, address: string): boolean {
    // Other names must not become names of this machine after they were set.
    if (this.#isInner(address, loopback && loopbackOf(hostOf(url)) !== undefined)) return true;
    return isPublicAddress(address) && hasWebPort(url) && this.#isSafe(url);
  }

  /** Any name may have addresses in the operator's networks. */
  #mayBeInner(url: URL, loopback: boolean): boolean {
    const host = hostOf(url);
    const addresses = loopbackOf(host) ?? (isIP(host) === 0 ? undefined : [host]);
    return addresses?.some((each) => this.#isInner(each, loopback)) ?? this.#options.networks !== undefined;
  }

  #isInner(address: string, loopback: boolean): boolean {
    if (loopback && isLoopbackAddress(address)) return true;
    return this.#options.networks?.check(address, isIPv6(address) ? "ipv6" : "ipv4") ?? false;
  }

  #isSafe({ protocol }: URL): boolean {
    return protocol === "https:" || this.#options.isDevnet;
  }
}

const insecure = "url must begin with https://";
