import { createHmac } from "node:crypto";

export type ImageProxy = {
  /** URL of the proxy. */
  base: string;
  key: Uint8Array;
  salt: Uint8Array;
};

const presets = ["small", "medium", "big"];

/**
 * Signed links of imgproxy to the forms of an image, plain and blurred, by the names that TON Center gives them in `extra`:
 * `/<signature>/pr:<preset>[/bl:256]/<source in base64url>`.
 */
export function imageLinksOf({ base, key, salt }: ImageProxy): (image: string) => Record<string, string> {
  const beginning = base.replace(/\/$/, "");
  return (image) => {
    const source = Buffer.from(image).toString("base64url");
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
