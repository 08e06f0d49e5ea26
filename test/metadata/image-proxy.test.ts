import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { imageLinksOf } from "../../server/metadata/image-proxy.js";

const [key, salt] = [Buffer.from("943b421c9eb07c83", "hex"), Buffer.from("520f986b998545b4", "hex")];
const linksOf = imageLinksOf({
  base: "https://images.example/",
  key,
  salt,
  ipfsGateway: "https://gateway.example/ipfs/",
});

/** The URL requested from the proxy; `undefined` if there are no links. */
function sourceOf(image: string): string | undefined {
  const links = Object.values(linksOf(image));
  if (links.length === 0) return undefined;
  expect(links).toHaveLength(6);
  const sources = new Set(links.map((link) => Buffer.from(link.split("/").at(-1)!, "base64url").toString()));
  expect(sources.size).toBe(1);
  return [...sources][0];
}

describe("Links to an image proxy", () => {
  it("are signed with its key and its salt", () => {
    const source = Buffer.from("https://a.example/%C3%A4.png").toString("base64url");
    const signed = (path: string) =>
      `https://images.example/${createHmac("sha256", key)
        .update(Buffer.concat([salt, Buffer.from(path)]))
        .digest("base64url")}${path}`;
    expect(linksOf("https://a.example/ä.png")).toEqual({
      _image_small: signed(`/pr:small/${source}`),
      _image_small_blur: signed(`/pr:small/bl:256/${source}`),
      _image_medium: signed(`/pr:medium/${source}`),
      _image_medium_blur: signed(`/pr:medium/bl:256/${source}`),
      _image_big: signed(`/pr:big/${source}`),
      _image_big_blur: signed(`/pr:big/bl:256/${source}`),
    });
  });

  const id = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";
  it.each([
    ["https://a.example/1.png", "https://a.example/1.png"],
    ["HTTP://A.example:443/1.png?x=1", "http://a.example:443/1.png?x=1"],
    ["https://a.example:80/1.png", "https://a.example:80/1.png"],
    ["https://internal.example/1.png", "https://internal.example/1.png"],
    ["https://my-metadata.example/1.png", "https://my-metadata.example/1.png"],
    ["https://93.184.215.14/1.png", "https://93.184.215.14/1.png"],
    ["https://[2600::1]/1.png", "https://[2600::1]/1.png"],
    // Others would read this as a URL of the second host.
    ["https://a.example\\@127.0.0.1/", "https://a.example/@127.0.0.1/"],
    [`ipfs://${id}/1.png`, `https://gateway.example/ipfs/${id}/1.png`],
    [`IPFS://ipfs/${id}`, `https://gateway.example/ipfs/${id}`],
  ])("lead only to public hosts: %s", (image, source) => {
    expect(sourceOf(image)).toBe(source);
  });

  it.each([
    "local:///etc/passwd",
    "s3://bucket/key",
    "gs://bucket/key",
    "abs://container/key",
    "swift://container/key",
    "file:///etc/passwd",
    "ftp://a.example/1.png",
    "data:image/png;base64,AAAA",
    "//a.example/1.png",
    "1.png",
    "",
    "https://",
    "http://localhost/",
    "http://images.localhost./",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1./",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fd00::1]/",
    "http://a.example@192.168.0.1/",
    "https://a@a.example/1.png",
    "https://:b@a.example/1.png",
    "https://a.example:8080/1.png",
    "http://a.example:6379/",
    "https://intranet/1.png",
    "https://intranet./1.png",
    "http://vault.internal/v1/secret",
    "http://vault.INTERNAL./v1/secret",
    "http://printer.local/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://metadata.a.example/",
    "http://kubernetes.default.svc.cluster.local/",
    "ipfs://../../admin",
    `ipfs://${id}/../../admin`,
    `https://a.example/${"x".repeat(2048)}`,
  ])("are not signed for anything else: %s", (image) => {
    expect(linksOf(image)).toEqual({});
  });
});
