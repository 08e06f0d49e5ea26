import { createHmac } from "node:crypto";
import { hasCredentials, hasPrivateName, hasWebPort, mayBePublic } from "../os/public-address.js";
import { FetchError } from "./fetch-error.js";
import { gatewayUrl, isIpfs } from "./link-target.js";

/** An imgproxy that signs its links. */
export type ImageProxy = {
  /** URL of the proxy. */
  base: string;
  key: Uint8Array;
  salt: Uint8Array;
  /** URL to which a content id is appended. */
  ipfsGateway: string;
};

const presets = ["small", "medium", "big"];
/** Longer links are not proxied: each is signed six times, and servers reject them. */
const maxLength = 2048;

/**
 * Signed imgproxy links to versions of an image, plain and blurred, by TON Center's names in `extra`:
 * `/<signature>/pr:<preset>[/bl:256]/<source in base64url>`. Empty for images that the proxy must not read.
 */
export function imageLinksOf(proxy: ImageProxy): (image: string) => Record<string, string> {
  const { base, key, salt, ipfsGateway } = proxy;
  const beginning = base.replace(/\/$/, "");
  return (image) => {
    const url = sourceOf(image, ipfsGateway);
    if (url === undefined) return {};
    const source = Buffer.from(url).toString("base64url");
    const link = (options: string) => {
      const path = `/${options}/${source}`;
      const signature = createHmac("sha256", key).update(salt).update(path).digest("base64url");
      return `${beginning}/${signature}${path}`;
    };
    return Object.fromEntries(
      presets.flatMap((preset) => [
        [`_image_${preset}`, link(`pr:${preset}`)],
        [`_image_${preset}_blur`, link(`pr:${preset}/bl:256`)],
      ]),
    );
  };
}

/**
 * The source URL for an image chosen by a token's author. Restricted, because a proxy also reads its own files and
 * buckets, and can reach internal hosts: it resolves names itself, so here they are judged by their text. Normalized, so
 * that all parsers read it alike.
 */
function sourceOf(image: string, ipfsGateway: string): string | undefined {
  if (image.length > maxLength) return undefined;
  if (isIpfs(image)) return gatewaySource(image, ipfsGateway);
  if (!URL.canParse(image)) return undefined;
  const url = new URL(image);
  const isWeb = (url.protocol === "https:" || url.protocol === "http:") && hasWebPort(url);
  return isWeb && !hasCredentials(url) && mayBePublic(url) && !hasPrivateName(url) ? url.href : undefined;
}

function gatewaySource(image: string, ipfsGateway: string): string | undefined {
  try {
    return new URL(gatewayUrl(image, ipfsGateway)).href;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return undefined;
  }
}
