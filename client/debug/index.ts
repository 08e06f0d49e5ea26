import type { DebugStep, DebugSteps, V3DebugStepsParams } from "../api.js";
import type { CallOptions } from "../call-options.js";

type Steps = (params: V3DebugStepsParams, options?: CallOptions) => Promise<DebugSteps>;

/**
 * Iterates over the steps of a run, which `v3.debug.transaction` and others name, page by page: from the first one, or from the last one if
 * `backward` is set.
 */
export async function* stepsOf(
  client: { readonly v3: { readonly debug: { readonly steps: Steps } } },
  { run }: { readonly run: string },
  params: Omit<V3DebugStepsParams, "run"> = {},
  options: CallOptions = {},
): AsyncGenerator<DebugStep, void, undefined> {
  for (let from = params.from; ; ) {
    const page = await client.v3.debug.steps(
      { ...params, run, ...(from !== undefined && { from }) },
      options,
    );
    yield* page.steps;
    if (page.next === null) return;
    from = page.next;
  }
}
