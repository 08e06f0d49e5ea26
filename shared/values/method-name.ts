/** Ids of get-methods are signed numbers below this. */
export const int32Bound = 2 ** 31;

/** The name of a get-method, or its id, which may also be given as text; `undefined` for other values. */
export function readMethodName(given: unknown): string | number | undefined {
  const isNumber = typeof given === "string" && /^(-?\d{1,11}|0x[0-9a-f]{1,8})$/i.test(given);
  const value = isNumber ? Number(given) : given;
  if (typeof value !== "number") return typeof value === "string" ? value : undefined;
  return Number.isInteger(value) && value >= -int32Bound && value < int32Bound ? value : undefined;
}
