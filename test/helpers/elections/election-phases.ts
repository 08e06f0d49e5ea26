import { expect } from "vitest";
import type { DevnetService } from "../services/devnet-service.js";

/** Ends one phase of elections after another, which begins these. */
export async function reach(
  { run }: Pick<DevnetService, "run">,
  ...phases: readonly string[]
): Promise<void> {
  for (const phase of phases) expect(await run("devnet.skipPhase")).toMatchObject({ phase });
}

/** Elects a set and lets it come into force. */
export function rotate(service: Pick<DevnetService, "run">): Promise<void> {
  return reach(service, "open", "installed", "idle");
}
