import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { correctionOf } from "./error-correction.js";
import { type Modules, modulesOf } from "./modules.js";

/** Blocks of versions 1 to 6 at level M: their number, and the codewords of each for data and for correction. */
const versions = [
  { blocks: 1, data: 16, correction: 10 },
  { blocks: 1, data: 28, correction: 16 },
  { blocks: 1, data: 44, correction: 26 },
  { blocks: 2, data: 32, correction: 18 },
  { blocks: 2, data: 43, correction: 24 },
  { blocks: 4, data: 27, correction: 16 },
] as const;

const byteMode = 0b0100;
const padding = [0xec, 0x11] as const;

/** The QR code of a text of at most 106 bytes, which may be damaged by 15 %. */
export function qrCode(text: string): Modules {
  const bytes = [...new TextEncoder().encode(text)];
  // The mode and the length take 12 bits, and the end 4.
  const index = versions.findIndex(({ blocks, data }) => bytes.length + 2 <= blocks * data);
  if (index < 0) throw new RangeError(`the text has ${bytes.length} bytes, too many for a code`);
  const { blocks, data, correction } = itemAt(versions, index);
  const words = dataWords(bytes, blocks * data);
  const parts = Array.from({ length: blocks }, (_, block) => words.slice(block * data, (block + 1) * data));
  const corrections = parts.map((part) => correctionOf(part, correction));
  return modulesOf(index + 1, [...interleaved(parts), ...interleaved(corrections)]);
}

function dataWords(bytes: readonly number[], length: number): number[] {
  const halves = [byteMode, ...split(bytes.length), ...bytes.flatMap(split), 0];
  const words = Array.from(
    { length: halves.length / 2 },
    (_, at) => (itemAt(halves, 2 * at) << 4) | itemAt(halves, 2 * at + 1),
  );
  while (words.length < length) words.push(padding[(words.length - bytes.length) % 2 === 0 ? 0 : 1]);
  return words;
}

const split = (byte: number): [number, number] => [byte >> 4, byte & 15];

/** The first word of each block, then the second of each, and so on. */
function interleaved(blocks: readonly (readonly number[])[]): number[] {
  return itemAt(blocks, 0).flatMap((_, at) => blocks.map((block) => itemAt(block, at)));
}

/** Light modules around a code, so that readers find it. */
const quietZone = 4;

/** A code as a picture, dark on light in any colours of the page. */
export function qrPicture(text: string, label: string): Markup {
  const modules = qrCode(text);
  const size = modules.length + 2 * quietZone;
  const path = modules.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x + quietZone} ${y + quietZone}h1v1h-1z` : "")),
  );
  return html`<svg class="qr-code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${path.join("")}"/></svg>`;
}
