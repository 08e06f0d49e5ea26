import { describe, expect, it } from "vitest";
import { rasterOf } from "../../../../server/web/explorer/tokens/raster.js";

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : part)),
  );
const zeros = (many: number) => Array<number>(many).fill(0);

const png = bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 1, 2, 0, 0, 0, 7]);
const lossy = bytes("RIFF", zeros(4), "WEBPVP8 ", zeros(10), [0x02, 0x41, 7, 0xc0]);
// 14 bits of the width without one, then of the height.
const lossless = bytes("RIFF", zeros(4), "WEBPVP8L", zeros(4), [0x2f, 0x01, 0x81, 0x01, 0x00], zeros(5));
const extended = bytes("RIFF", zeros(4), "WEBPVP8X", zeros(8), [0x01, 0x01, 0, 6, 0, 0]);
const head = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2];
const frame = (marker: number) => [0xff, marker, 0, 17, 8, 0, 7, 1, 2, 3];

describe("the head of a picture", () => {
  it.each([
    ["png", png],
    ["gif", bytes("GIF89a", [2, 1, 7, 0])],
    ["gif", bytes("GIF87a", [2, 1, 7, 0, 0])],
    ["webp", lossy],
    ["webp", lossless],
    ["webp", extended],
    ["jpeg", bytes([...head, ...frame(0xc0)])],
    ["jpeg", bytes([...head, 0xff, 0xc4, 0, 2, ...frame(0xc2)])],
  ])("says that it is a %s of 258 by 7 pixels", (type, picture) => {
    expect(rasterOf(picture)).toEqual({ type: `image/${type}`, width: 258, height: 7 });
    // At another place of a larger buffer, too.
    expect(rasterOf(bytes("abc", [...picture]).subarray(3))).toEqual(rasterOf(picture));
  });

  it("is of no raster if it is of another kind, cut, or has no pixels", () => {
    for (const picture of [png, lossy, lossless, extended, bytes([...head, ...frame(0xc0)])])
      for (let length = 0; length < Math.min(picture.length, 17); length++)
        expect([length, rasterOf(picture.subarray(0, length))]).toEqual([length, undefined]);
    const others = [
      bytes("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"),
      bytes("<!doctype html><script>1</script>"),
      bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IDAT", zeros(8)),
      bytes("GIF89a", [0, 0, 7, 0]),
      bytes("RIFF", zeros(4), "WEBPVP9 ", zeros(14)),
      // A segment without a length would repeat for ever.
      bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0], zeros(20)),
      bytes([0xff, 0xd8, 0, 0], zeros(20)),
    ];
    expect(others.map(rasterOf)).toEqual(others.map(() => undefined));
  });
});
