import { z } from "zod";
import { RequestError } from "./service-calls.js";

// The arguments of requests that the adapter reads; members that it does not know are ignored.

const number = z.int().min(0).max(1_000_000_000);
const text = z.string().max(2000);
const reference = z.string().max(100);
const conditions = {
  condition: text.optional(),
  hitCondition: text.optional(),
  logMessage: text.optional(),
};
const source = z.object({
  name: text.optional(),
  path: text.optional(),
  sourceReference: number.optional(),
});
const granularity = z.enum(["statement", "line", "instruction"]).default("statement");
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(1000);

export const schemas = {
  breakpoints: z.object({
    source,
    breakpoints: listOf(z.object({ line: number, ...conditions })).default([]),
  }),
  functionBreakpoints: z.object({ breakpoints: listOf(z.object({ name: text, ...conditions })) }),
  instructionBreakpoints: z.object({
    breakpoints: listOf(
      z.object({
        instructionReference: reference,
        offset: z.int().min(-100_000).max(100_000).default(0),
        ...conditions,
      }),
    ),
  }),
  dataBreakpoints: z.object({ breakpoints: listOf(z.object({ dataId: text, ...conditions })) }),
  exceptionBreakpoints: z.object({ filters: z.array(z.enum(["uncaught", "all", "action"])).max(10) }),
  dataBreakpointInfo: z.object({ name: text, variablesReference: number.optional() }),
  breakpointLocations: z.object({ source, line: number, endLine: number.optional() }),
  thread: z.object({ threadId: number }),
  step: z.object({ threadId: number, granularity }),
  stackTrace: z.object({
    threadId: number,
    startFrame: number.default(0),
    levels: number.default(0),
  }),
  scopes: z.object({ frameId: number }),
  variables: z.object({
    variablesReference: number,
    start: number.default(0),
    count: number.default(0),
    filter: z.enum(["indexed", "named"]).optional(),
  }),
  evaluate: z.object({
    expression: z.string().max(100_000),
    frameId: number.optional(),
    context: text.optional(),
  }),
  source: z.object({ source: source.optional(), sourceReference: number.default(0) }),
  disassemble: z.object({
    memoryReference: reference,
    offset: z.int().min(-100_000).max(100_000).default(0),
    instructionOffset: z.int().min(-100_000).max(100_000).default(0),
    instructionCount: number,
  }),
  gotoTargets: z.object({ source, line: number }),
  goto: z.object({ threadId: number, targetId: number }),
  completions: z.object({ frameId: number.optional(), text, column: number }),
  restart: z.object({ arguments: z.unknown().optional() }),
} satisfies Record<string, z.ZodType>;

/** Checked arguments. Throws a RequestError. */
export function readArguments<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw new RequestError(`${path.join(".") || "arguments"}: ${message}`);
}
