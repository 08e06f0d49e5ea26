import { z } from "zod";
import { isForOwner } from "../../shared/methods/define.js";
import { aboutMethod, definitionOf, paramsOf, withWords } from "./definitions.js";
import type { Tool } from "./tool.js";

type MethodToolOptions = {
  /** Parameters that it has. Default: all. */
  readonly params?: readonly string[];
  /** When to use it, and how to read its answer. */
  readonly guide?: string;
  /** Whether a call can discard what a later one cannot bring back. */
  readonly discards?: true;
  /** The part of the result that the model gets. Default: all of it. */
  readonly facts?: (result: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
};

/** A tool that calls one method, with its name, description and parameters. */
export function methodTool(
  method: string,
  { params, guide, discards, facts = (result) => result }: MethodToolOptions = {},
): Tool {
  const definition = definitionOf(method);
  return {
    name: toolName(method),
    title: titleOf(toolName(method)),
    description: described(method, guide),
    methods: [method],
    input: z.object(paramsOf(method, params)),
    isList: false,
    changes: isForOwner(definition) && definition.freshness.kind === "effect",
    ...(discards && { discards }),
    async run(args, session) {
      const result = await session.call(method, withWords(method, args));
      const isRecord = typeof result === "object" && result !== null && !Array.isArray(result);
      return { facts: facts(isRecord ? (result as Record<string, unknown>) : { result }) };
    },
  };
}

/** `jetton_wallets` for `v3.jetton.wallets`. */
export function toolName(method: string): string {
  return method
    .replace(/^v3\./, "")
    .replaceAll(".", "_")
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `Jetton wallets` for `jetton_wallets`. */
export function titleOf(name: string): string {
  return (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("_", " ");
}

/** The text that tells a model what a method does and when to use it. */
export function described(method: string, guide: string | undefined): string {
  return guide === undefined ? aboutMethod(method) : `${aboutMethod(method)} ${guide}`;
}
