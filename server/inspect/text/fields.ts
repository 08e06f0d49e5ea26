import type { Names } from "./names.js";
import { plain, shortened } from "./plain.js";

const rawAddress = /^-?\d+:[0-9A-Fa-f]{64}$/;
const integer = /^\d+$/;
const maxText = 64;
const maxEntries = 8;
const maxDepth = 4;

/** Fields that are always nanotons. */
const nanotons: ReadonlySet<string> = new Set([
  "value",
  "ton_amount",
  "forward_amount",
  "forward_ton_amount",
  "price",
  "payout_amount",
  "royalty_amount",
  "full_price",
  "marketplace_fee",
  "min_bid",
  "max_bid",
]);

/** Fields in units of the asset that is in one of these sibling fields. */
const assets: Readonly<Record<string, readonly string[]>> = {
  amount: ["asset", "jetton", "provided_asset"],
  amount_in: ["asset_in"],
  amount_out: ["asset_out"],
  min_out_amount: ["asset_out"],
  amount_1: ["asset_1"],
  amount_2: ["asset_2"],
  target_amount_1: ["target_asset_1"],
  target_amount_2: ["target_asset_2"],
};

type Fields = Readonly<Record<string, unknown>>;

/** Formats an amount without a known unit; `undefined`: unchanged. */
type AmountRule = (amount: string) => string | undefined;

/** Fields with their values, without empty ones; addresses are short and amounts in units. */
export function fieldTexts(fields: Fields, names: Names, amountOf: AmountRule = () => undefined): string[] {
  return textsOf(fields, { names, amountOf, depth: 0 });
}

type Context = { names: Names; amountOf: AmountRule; depth: number };

function textsOf(fields: Fields, context: Context): string[] {
  const amounts: string[] = [];
  const others: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const amount = amountText(name, fields, context);
    const text = amount ?? valueText(value, context);
    // Nested fields may be cut at their end, so amounts come first.
    const isFirst = amount !== undefined && context.depth > 0;
    if (text !== undefined) (isFirst ? amounts : others).push(`${plain(name)} ${text}`);
  }
  return [...amounts, ...others];
}

function amountText(name: string, fields: Fields, { names, amountOf }: Context): string | undefined {
  const value = fields[name];
  if (typeof value !== "string" || !integer.test(value)) return undefined;
  if (nanotons.has(name)) return names.amount(value, null);
  const beside = assets[name]?.find((each) => each in fields);
  if (beside !== undefined) {
    const asset = fields[beside];
    if (asset === null || typeof asset === "string") return names.amount(value, asset);
  }
  return name === "amount" ? amountOf(value) : undefined;
}

function valueText(value: unknown, context: Context): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "string") return stringText(value, context);
  if (typeof value !== "object") return String(value);
  if (context.depth >= maxDepth) return "{…}";
  const inner = { ...context, depth: context.depth + 1 };
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxEntries).flatMap((each) => valueText(each, inner) ?? []);
    if (value.length > maxEntries) shown.push(`… ${value.length} in all`);
    return shown.length === 0 ? undefined : `[${shown.join(", ")}]`;
  }
  const { "@type": type, ...members } = value as Fields;
  const head = typeof type === "string" ? [plain(type)] : [];
  const texts = [...head, ...textsOf(members, inner)];
  return texts.length === 0 ? undefined : `{${texts.join(", ")}}`;
}

function stringText(text: string, { names }: Context): string {
  if (rawAddress.test(text)) return names.short(text);
  const shown = shortened(plain(shortened(text, maxText)), maxText);
  return /^[\w.:+/=…-]+$/.test(shown) ? shown : `"${shown}"`;
}
