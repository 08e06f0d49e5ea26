import type { Own } from "../parts/claim.js";

/** Values of a message as those of its transaction, which has them under the message's name: `in` or `out0`. */
export function messageOf(transaction: Own, name: string): Own {
  return (values, shown) =>
    transaction(
      Object.fromEntries(Object.entries(values).map(([part, value]) => [`${name}_${part}`, value])),
      shown,
    );
}
