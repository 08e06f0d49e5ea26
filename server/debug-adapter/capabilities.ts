import type { DebugProtocol } from "@vscode/debugprotocol";

/** What the adapter can do. Runs are recorded: nothing can be set, written, or paused. */
export const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsRestartRequest: true,
  supportsGotoTargetsRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsFunctionBreakpoints: true,
  supportsInstructionBreakpoints: true,
  supportsDataBreakpoints: true,
  supportsLogPoints: true,
  supportsExceptionInfoRequest: true,
  supportsEvaluateForHovers: true,
  supportsSteppingGranularity: true,
  supportsDisassembleRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsBreakpointLocationsRequest: true,
  supportsCompletionsRequest: true,
  exceptionBreakpointFilters: [
    {
      filter: "uncaught",
      label: "What ended the run",
      description: "The step that ended the compute phase.",
      default: true,
    },
    { filter: "all", label: "All exceptions", description: "Also those that the contract handles." },
    {
      filter: "action",
      label: "Failed actions",
      description: "The step that ordered an action which failed later.",
    },
  ],
};
