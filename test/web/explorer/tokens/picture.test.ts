import { describe, expect, it } from "vitest";
import { pictureSource } from "../../../../server/web/explorer/tokens/picture.js";

const origin = "https://images.example";
const gif = Buffer.from("GIF89a\x02\x00\x07\x00");
const inData = (base64: string) => `data:image/gif;base64,${base64}`;
const source = (info: object, isLarge = false) => pictureSource(info, origin, isLarge);

describe("the source of a token's picture", () => {
  it("is the operator's proxy, in the size of its place", () => {
    const extra = { _image_small: `${origin}/s`, _image_medium: `${origin}/m` };
    expect([source({ extra }), source({ extra }, true)]).toEqual([`${origin}/s`, `${origin}/m`]);
    expect(source({ extra, is_nsfw: true })).toBe(`${origin}/s`);
    expect(pictureSource({ extra }, undefined, false)).toBe(undefined);
  });

  it.each([
    "https://stranger.example/s",
    "https://images.example.stranger.example/s",
    "https://images.example@stranger.example/s",
    "http://images.example/s",
    "//images.example/s",
    "javascript:alert(1)",
    "",
    7,
    null,
  ])("is no other host, though the metadata name it: %s", (link) => {
    expect(source({ image: "https://stranger.example/1.png", extra: { _image_small: link } })).toBe(
      undefined,
    );
  });

  it("is the token's data if they are a small raster picture, by its bytes and not by its claim", () => {
    const base64 = gif.toString("base64");
    expect(source({ extra: { image_data: base64 } })).toBe(inData(base64));
    expect(source({ image: `data:image/png;base64,${base64}` })).toBe(inData(base64));
    expect(source({ image: inData(base64), is_nsfw: true })).toBe(undefined);
  });

  it("is nothing for vectors, pages, and pictures that are large in bytes or in pixels", () => {
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").toString("base64");
    const long = Buffer.concat([gif, Buffer.alloc(64 * 1024)]).toString("base64");
    const wide = Buffer.from("GIF89a\xff\xff\x07\x00", "latin1").toString("base64");
    for (const data of [svg, long, wide, "no base64", ""])
      expect([data.slice(0, 20), source({ extra: { image_data: data } })]).toEqual([
        data.slice(0, 20),
        undefined,
      ]);
    for (const image of [
      `data:image/svg+xml;base64,${svg}`,
      `data:image/png;base64,${svg}`,
      "data:image/svg+xml,<svg/>",
      "data:text/html;base64,PGI+",
      inData(wide),
      inData(long),
    ])
      expect([image.slice(0, 40), source({ image })]).toEqual([image.slice(0, 40), undefined]);
    expect(pictureSource(undefined, origin, false)).toBe(undefined);
  });
});
