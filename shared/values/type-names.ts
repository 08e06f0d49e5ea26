/** `v3.jetton_wallets` becomes `V3JettonWallets`. */
export const pascal = (name: string) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** The name of the variant of a union that has the tag. */
export function variantName(union: string, tag: string): string {
  return union.endsWith("Kind") ? pascal(tag) + union.replace(/Kind$/, "") : union + pascal(tag);
}
