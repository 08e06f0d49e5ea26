const outOfGas: ReadonlySet<number> = new Set([-14, 13]);
const lackOfFunds: ReadonlySet<number> = new Set([37, 38, 40]);

/** Whether an exit code of the compute phase says that the gas was spent. */
export function isOutOfGas(code: number): boolean {
  return outOfGas.has(code);
}

/** Whether a result code of the action phase says that coins or other currencies were missing. */
export function isLackOfFunds(code: number): boolean {
  return lackOfFunds.has(code);
}
