/** Identifiers in the reference's form: `0x` and digits without leading zeros. */
export function hexText(value: bigint): string {
  return `0x${value.toString(16)}`;
}
