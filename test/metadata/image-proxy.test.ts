import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { imageLinksOf } from "../../server/metadata/image-proxy.js";

it("links to an image proxy are signed with its key and its salt", () => {
  const [key, salt] = [Buffer.from("943b421c9eb07c83", "hex"), Buffer.from("520f986b998545b4", "hex")];
  const links = imageLinksOf({ base: "https://images.example/", key, salt })("https://a.example/ä.png");
  const source = Buffer.from("https://a.example/ä.png").toString("base64url");
  const signed = (path: string) =>
    `https://images.example/${createHmac("sha256", key)
      .update(Buffer.concat([salt, Buffer.from(path)]))
      .digest("base64url")}${path}`;
  expect(links).toEqual({
    _image_small: signed(`/pr:small/${source}`),
    _image_small_blur: signed(`/pr:small/bl:256/${source}`),
    _image_medium: signed(`/pr:medium/${source}`),
    _image_medium_blur: signed(`/pr:medium/bl:256/${source}`),
    _image_big: signed(`/pr:big/${source}`),
    _image_big_blur: signed(`/pr:big/bl:256/${source}`),
  });
});
