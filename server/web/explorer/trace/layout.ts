import { itemAt } from "../../../../shared/values/lookups.js";
import type { Step } from "./steps.js";

/** Position of a step: its account's box, and its message's line with room for two lines of text. */
export type PlacedStep = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Beginning of the line. */
  readonly from: { readonly x: number; readonly y: number };
  /** Data of an SVG path from the parent's box to this one. */
  readonly line: string;
  /** Position and width of the message's text. */
  readonly label: { readonly x: number; readonly y: number; readonly width: number };
};

export type Layout = {
  readonly width: number;
  readonly height: number;
  /** By step index. */
  readonly places: readonly PlacedStep[];
};

const box = { width: 190, height: 46 };
/** Gap between columns: room for an amount and the name of an operation. */
const gap = 124;
/** How far columns may shrink so that the whole trace fits. */
const leastScale = 0.72;
const rowHeight = 70;
const margin = 8;
/** Horizontal distance before a line turns. */
const turn = 14;
const radius = 6;
/** Arrow head of a line. */
const arrow = "m-5 -4l5 4l-5 4";

/**
 * Layout for wide screens: steps from left to right, each at the height of its first child. Columns shrink if that
 * makes the trace fit the screen.
 */
export function layoutInColumns(steps: readonly Step[], available: number): Layout {
  const rows = rowsOf(steps, "leaves");
  const columns = 1 + steps.reduce((deepest, { depth }) => Math.max(deepest, depth), 0);
  const fitting = (available - 2 * margin) / (columns * (box.width + gap));
  const scale = fitting < leastScale ? 1 : Math.min(1, fitting);
  const boxWidth = Math.floor(box.width * scale);
  const gapWidth = Math.floor(gap * scale);
  const places = steps.map((step, index): PlacedStep => {
    const x = margin + gapWidth + step.depth * (boxWidth + gapWidth);
    const y = margin + itemAt(rows, index) * rowHeight;
    const middle = y + box.height / 2;
    const parentRow = step.parent === undefined ? itemAt(rows, index) : itemAt(rows, step.parent);
    const fromX = x - gapWidth;
    const fromY = margin + parentRow * rowHeight + box.height / 2;
    const line =
      fromY === middle
        ? `M${fromX} ${middle}H${x}${arrow}`
        : `M${fromX} ${fromY}H${fromX + turn - radius}q${radius} 0 ${radius} ${radius}V${middle - radius}q0 ${radius} ${radius} ${radius}H${x}${arrow}`;
    const label = { x: fromX + turn + 8, y: middle, width: gapWidth - turn - 14 };
    return { x, y, width: boxWidth, height: box.height, from: { x: fromX, y: fromY }, line, label };
  });
  return sized(places);
}

const indent = 16;
/** Deeper steps are not indented further, so that they fit. */
const deepestIndent = 7;
const labelHeight = 34;
/** Width before the page is rendered. */
const leastWidth = 280;

/** Layout for narrow screens: steps below each other, each indented below its parent. */
export function layoutInRows(steps: readonly Step[], available: number): Layout {
  const width = Math.max(leastWidth, available);
  const rows = rowsOf(steps, "all");
  const pitch = labelHeight + box.height + 6;
  const leftOf = ({ depth }: Step) => margin + 10 + indent * Math.min(depth, deepestIndent);
  const places = steps.map((step, index): PlacedStep => {
    const x = leftOf(step);
    const y = margin + labelHeight + itemAt(rows, index) * pitch;
    const middle = y + box.height / 2;
    const parent = step.parent === undefined ? undefined : itemAt(steps, step.parent);
    // The line comes from above the first box, or down from the parent's left edge.
    const fromX = parent && parent.depth < deepestIndent ? leftOf(parent) + 6 : x - 8;
    const fromY = parent ? margin + labelHeight + itemAt(rows, step.parent!) * pitch + box.height : margin;
    const line = `M${fromX} ${fromY}V${middle - radius}q0 ${radius} ${radius} ${radius}H${x}${arrow}`;
    const label = { x: x + 4, y: y - labelHeight / 2, width: width - x - margin - 4 };
    const from = { x: fromX, y: fromY };
    return { x, y, width: width - x - margin, height: box.height, from, line, label };
  });
  return { ...sized(places), width };
}

function sized(places: readonly PlacedStep[]): Layout {
  const right = places.reduce((most, { x, width }) => Math.max(most, x + width), 0);
  const bottom = places.reduce((most, { y, height }) => Math.max(most, y + height), 0);
  return { places, width: right + margin, height: bottom + margin };
}

/** The row of each step. Each step starts a new row, or only each leaf. */
function rowsOf(steps: readonly Step[], rowFor: "all" | "leaves"): number[] {
  const rows: number[] = [];
  let next = 0;
  const open = steps.length > 0 ? [0] : [];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const { children } = itemAt(steps, index);
    rows[index] = next;
    if (rowFor === "all" || children.length === 0) next++;
    // The stack pops from the end, so push the children reversed.
    open.push(...children.toReversed());
  }
  return rows;
}
