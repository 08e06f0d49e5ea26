import { itemAt } from "../../../../shared/values/lookups.js";

/** Modules of a QR code, row by row: true is dark. */
export type Modules = boolean[][];

type Mask = (row: number, column: number) => boolean;

const masks: readonly Mask[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Draws codewords as the modules of a version from 1 to 6, with the mask of the least penalty. */
export function modulesOf(version: number, codewords: readonly number[]): Modules {
  const size = 17 + 4 * version;
  const fixed: Modules = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const isFixed: Modules = fixed.map((row) => [...row]);
  drawPatterns(version, (row, column, isDark) => {
    itemAt(fixed, row)[column] = isDark;
    itemAt(isFixed, row)[column] = true;
  });
  const candidates = masks.map((mask, number) => {
    const modules = fixed.map((row) => [...row]);
    drawData(modules, isFixed, codewords, mask);
    drawFormat(modules, number);
    return modules;
  });
  const penalties = candidates.map(penaltyOf);
  return itemAt(candidates, penalties.indexOf(Math.min(...penalties)));
}

type Draw = (row: number, column: number, isDark: boolean) => void;

function drawPatterns(version: number, draw: Draw): void {
  const size = 17 + 4 * version;
  for (let at = 0; at < size; at++) {
    draw(6, at, at % 2 === 0);
    draw(at, 6, at % 2 === 0);
  }
  // Finders with their separators; the format has its place beside them.
  for (const [top, left] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ] as const)
    for (let row = -1; row <= 7; row++)
      for (let column = -1; column <= 7; column++) {
        const [y, x] = [top + row, left + column];
        if (y < 0 || x < 0 || y >= size || x >= size) continue;
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
        draw(y, x, ring !== 2 && ring !== 4);
      }
  for (let at = 0; at < 9; at++) {
    if (at !== 6) {
      draw(8, at, false);
      draw(at, 8, false);
    }
    if (at < 8) {
      draw(8, size - 1 - at, false);
      draw(size - 1 - at, 8, at === 7);
    }
  }
  // Versions from 2 to 6 have one alignment pattern.
  if (version === 1) return;
  const centre = size - 7;
  for (let row = -2; row <= 2; row++)
    for (let column = -2; column <= 2; column++)
      draw(centre + row, centre + column, Math.max(Math.abs(row), Math.abs(column)) !== 1);
}

/** Bits run in pairs of columns from the right, up and down in turn. */
function drawData(modules: Modules, isFixed: Modules, codewords: readonly number[], mask: Mask): void {
  const size = modules.length;
  let bit = 0;
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    // The column of the timing pattern is left out.
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (isFixed[row]![column]) continue;
        const isSet = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        modules[row]![column] = isSet !== mask(row, column);
        bit++;
      }
    }
  }
}

const formatPolynomial = 0x537;
const formatMask = 0x5412;
/** Bits of the level M are 00. */
function formatBits(mask: number): number {
  let remainder = mask;
  for (let at = 0; at < 10; at++) remainder = (remainder << 1) ^ ((remainder >> 9) * formatPolynomial);
  return ((mask << 10) | remainder) ^ formatMask;
}

function drawFormat(modules: Modules, mask: number): void {
  const bits = formatBits(mask);
  const size = modules.length;
  for (let at = 0; at < 15; at++) {
    const isDark = ((bits >> at) & 1) === 1;
    // Beside the first finder, around the timing patterns.
    const near = at < 6 ? at : at < 8 ? at + 1 : 14 - at;
    if (at < 8) modules[near]![8] = isDark;
    else modules[8]![at === 8 ? 7 : near] = isDark;
    // Beside the two others.
    if (at < 8) modules[8]![size - 1 - at] = isDark;
    else modules[size - 15 + at]![8] = isDark;
  }
}

/** How hard a code is to read: long runs, blocks, shapes like finders, unequal parts of dark and light. */
function penaltyOf(modules: Modules): number {
  const size = modules.length;
  const columns = modules.map((_, column) => modules.map((row) => row[column]!));
  let penalty = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    for (let at = 0; at + 11 <= size; at++) if (finderShapes.has(text.slice(at, at + 11))) penalty += 40;
  }
  for (let row = 0; row + 1 < size; row++)
    for (let column = 0; column + 1 < size; column++) {
      const corner = modules[row]![column];
      const isBlock =
        modules[row]![column + 1] === corner &&
        modules[row + 1]![column] === corner &&
        modules[row + 1]![column + 1] === corner;
      if (isBlock) penalty += 3;
    }
  const dark = modules.flat().filter(Boolean).length;
  const percent = (dark * 100) / (size * size);
  return penalty + 10 * Math.floor(Math.abs(percent - 50) / 5);
}

const finderShapes: ReadonlySet<string> = new Set(["10111010000", "00001011101"]);
