import { hasCredentials, hasWebPort } from "../os/public-address.js";
import { FetchError } from "./fetch-error.js";

/** Which links of tokens are followed. */
export type TargetOptions = {
  /** URL to which a content id is appended. */
  ipfsGateway: string;
  /** Whether http links are fetched too. */
  plainHttp: boolean;
};

/** URL and size limit of a fetch. */
export type Target = { url: URL; maxBytes: number };

const maxBytes = 10 * 1024 * 1024;
const maxGatewayBytes = 1024 * 1024;

/** Whether a link names content instead of a host. */
export function isIpfs(link: string): boolean {
  return /^ipfs:\/\//i.test(link);
}

/**
 * Throws a FetchError for links that are not allowed. `base` is the URL of the redirect that contains a relative link.
 */
export function targetOf(link: string, options: TargetOptions, base?: URL): Target {
  const ipfs = isIpfs(link);
  const text = ipfs ? gatewayUrl(link, options.ipfsGateway) : link;
  if (!URL.canParse(text, base?.href)) throw new FetchError("url");
  const url = new URL(text, base);
  const isAllowed = url.protocol === "https:" || (url.protocol === "http:" && (options.plainHttp || ipfs));
  if (!isAllowed || !hasWebPort(url) || hasCredentials(url)) throw new FetchError("url");
  return { url, maxBytes: ipfs ? maxGatewayBytes : maxBytes };
}

/** Throws a FetchError unless the link is `ipfs://<id>/<path>`. Some tokens have `ipfs://ipfs/<id>/<path>`. */
export function gatewayUrl(link: string, gateway: string): string {
  const [id = "", ...path] = link
    .slice("ipfs://".length)
    .replace(/^ipfs\//, "")
    .split("/");
  const leaves = path.some((part) => /^(\.|%2e){1,2}$/i.test(part.replace(/[?#].*$/s, "")));
  if (!/^[a-z0-9]{32,128}$/i.test(id) || leaves) throw new FetchError("url");
  return [gateway.replace(/\/$/, ""), id, ...path].join("/");
}
