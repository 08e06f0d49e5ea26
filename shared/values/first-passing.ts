/** The first number of a range that passes a test, by halves: all after it pass too. `to`, exclusive, if none does. */
export function firstPassing(from: number, to: number, passes: (number: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
