/** A visit of a function: its steps, and the gas before and in it. */
export type Frame = {
  readonly name: string;
  readonly depth: number;
  /** Steps; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Gas used before it began, and in it. */
  readonly before: number;
  readonly gas: number;
};

/** A frame as drawn: in parts of the width. */
export type Box = { readonly frame: Frame; readonly x: number; readonly width: number };

/** Deeper frames are not drawn. */
const deepest = 24;

/** The boxes of a flame over steps, by gas; those narrower than `least` of the width are left out. */
export function flameOf(frames: readonly Frame[], total: number, least = 0.0008): readonly Box[] {
  if (total <= 0) return [];
  return frames
    .filter(({ depth, gas }) => depth < deepest && gas / total >= least)
    .map((frame) => ({ frame, x: frame.before / total, width: frame.gas / total }));
}

/** The innermost frame with a step. */
export function frameAt(frames: readonly Frame[], step: number): Frame | undefined {
  return frames
    .filter(({ from, to }) => from <= step && step < to)
    .reduce<Frame | undefined>(
      (inner, each) => (inner && inner.depth >= each.depth ? inner : each),
      undefined,
    );
}

/** The step at a part of the gas in a frame, if its steps cost alike. */
export function stepIn({ from, to, before, gas }: Frame, at: number): number {
  const part = gas > 0 ? (at - before) / gas : 0;
  return Math.max(from, Math.min(to - 1, from + Math.floor(part * (to - from))));
}
