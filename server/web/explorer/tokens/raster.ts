/** Kind and size of a raster picture. */
type Raster = { readonly type: string; readonly width: number; readonly height: number };

/** Reads the head of a PNG, GIF, JPEG or WebP; `undefined` for anything else, such as SVG. */
export function rasterOf(bytes: Uint8Array): Raster | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [type, read] of readers) {
    const [width, height] = read(bytes, view) ?? [0, 0];
    if (width > 0 && height > 0) return { type: `image/${type}`, width, height };
  }
  return undefined;
}

type Size = readonly [width: number, height: number];
type Reader = (bytes: Uint8Array, view: DataView) => Size | undefined;

const readers: readonly (readonly [type: string, Reader])[] = [
  ["png", sizeOfPng],
  ["gif", sizeOfGif],
  ["webp", sizeOfWebp],
  ["jpeg", sizeOfJpeg],
];

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
}

function sizeOfPng(bytes: Uint8Array, view: DataView): Size | undefined {
  if (bytes.length < 24 || !hasText(bytes, 0, "\u0089PNG\r\n\u001a\n") || !hasText(bytes, 12, "IHDR"))
    return undefined;
  return [view.getUint32(16), view.getUint32(20)];
}

function sizeOfGif(bytes: Uint8Array, view: DataView): Size | undefined {
  if (bytes.length < 10 || !(hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a"))) return undefined;
  return [view.getUint16(6, true), view.getUint16(8, true)];
}

function sizeOfWebp(bytes: Uint8Array, view: DataView): Size | undefined {
  if (bytes.length < 30 || !hasText(bytes, 0, "RIFF") || !hasText(bytes, 8, "WEBP")) return undefined;
  const of14Bits = 0x3fff;
  if (hasText(bytes, 12, "VP8X"))
    return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1];
  if (hasText(bytes, 12, "VP8 "))
    return [view.getUint16(26, true) & of14Bits, view.getUint16(28, true) & of14Bits];
  if (!hasText(bytes, 12, "VP8L")) return undefined;
  const bits = view.getUint32(21, true);
  return [(bits & of14Bits) + 1, ((bits >>> 14) & of14Bits) + 1];
}

/** Markers of JPEG that begin a frame: C0 to CF without tables and extensions. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function sizeOfJpeg(bytes: Uint8Array, view: DataView): Size | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (isFrame(marker)) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    const length = view.getUint16(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}
