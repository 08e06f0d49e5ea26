import { z } from "zod";
import { networks } from "../../config/settings.js";
import { readArguments } from "../arguments.js";
import { RequestError } from "../service-calls.js";

const params = z.record(z.string(), z.unknown());
const file = z.union([z.string(), params]);

const launchArguments = z.object({
  transaction: z.union([z.string(), params]).optional(),
  trace: z.union([z.string(), params]).optional(),
  message: params.optional(),
  getMethod: params.optional(),
  force: z.boolean().optional(),
  stopOn: z.enum(["entry", "failure", "none"]).default("failure"),
  pathMap: z.record(z.string().max(1000), z.string().max(1000)).default({}),
  abi: file.optional(),
  sourceMap: file.optional(),
  network: z.enum(networks).optional(),
  service: z.string().optional(),
  key: z.string().optional(),
  token: z.string().optional(),
});

export type LaunchArguments = z.output<typeof launchArguments>;

const kinds = ["transaction", "trace", "message", "getMethod"] as const;

/** What editors add to a configuration for themselves: VS Code's members, and those of dap-mode. */
const ofEditors: ReadonlySet<string> = new Set([
  ...["type", "request", "name", "noDebug", "debugServer", "presentation", "preLaunchTask", "postDebugTask"],
  ...["internalConsoleOptions", "suppressMultipleSessionWarning", "serverReadyAction"],
  ...["host", "debugPort"],
]);

/** Throws a RequestError for arguments that are unknown or not as they should be. */
export function readLaunch(given: unknown): LaunchArguments {
  const read = readArguments(launchArguments, given);
  // They are read, so they are an object.
  const unknown = Object.keys(given as object).find(
    (name) => !Object.hasOwn(launchArguments.shape, name) && !ofEditors.has(name) && !name.startsWith("__"),
  );
  if (unknown !== undefined) {
    const known = Object.keys(launchArguments.shape).join(", ");
    throw new RequestError(`${unknown.slice(0, 100)} is no argument of launch; allowed: ${known}`);
  }
  if (kinds.filter((kind) => read[kind] !== undefined).length !== 1)
    throw new RequestError(`exactly one of ${kinds.join(", ")} is needed`);
  return read;
}
