import type { Freshness } from "../../shared/methods/define.js";

/** A freshness that does not depend on the parameters. */
export type PlainFreshness = Exclude<Freshness, { kind: "content" }>;

/** Rules of a method whose freshness and cost depend on the content of its calls. */
export type ContentRules = {
  freshness(params: Readonly<Record<string, unknown>>): PlainFreshness;
  /** Points that a call costs. `given` has the parameters as sent, which may be invalid. */
  points(given: (name: string) => unknown): number;
};

type Ruled = { readonly definition: { readonly freshness: Freshness }; readonly rules?: ContentRules };

/** The freshness of a call. `bind` has checked that its method has rules where it needs them. */
export function freshnessOf(
  { definition: { freshness }, rules }: Ruled,
  params: Readonly<Record<string, unknown>>,
): PlainFreshness {
  return freshness.kind === "content" ? rules!.freshness(params) : freshness;
}
