import { createHmac } from "node:crypto";
import { mayBePublic } from "../os/public-address.js";
import { gatewayUrl, isIpfs } from "./link-target.js";

export type ImageProxy = {
  /** URL of the proxy. */
  base: string;
  key: Uint8Array;
  salt: Uint8Array;
  /** URL that a content id is appended to. */
  ipfsGateway: string;
};

const presets = ["small", "medium", "big"];
/** Longer links are not proxied: each is signed six times, and servers refuse them. */
const maxLength = 2048;

/**
 * Signed links of imgproxy to the forms of an image, plain and blurred, by the names that TON Center gives them in `extra`:
 * `/<signature>/pr:<preset>[/bl:256]/<source in base64url>`. There are none for images that the proxy should not read.
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
 * What the proxy reads for an image that the author of a token has chosen: a proxy also reads its own files and buckets, and
 * can reach hosts that others cannot. The URL is in the form that parsers agree on.
 */
function sourceOf(image: string, ipfsGateway: string): string | undefined {
  if (image.length > maxLength) return undefined;
  if (isIpfs(image)) return gatewaySource(image, ipfsGateway);
  if (!URL.canParse(image)) return undefined;
  const url = new URL(image);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && mayBePublic(url) ? url.href : undefined;
}

function gatewaySource(image: string, ipfsGateway: string): string | undefined {
  try {
    return new URL(gatewayUrl(image, ipfsGateway)).href;
  } catch {
    return undefined;
  }
}
