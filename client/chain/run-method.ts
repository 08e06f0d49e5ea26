import { explainComputeCode } from "../../shared/values/exit-codes/compute.js";
import type { ExitMeaning } from "../../shared/values/exit-codes/explain.js";
import { hasSucceeded } from "../../shared/values/exit-codes/kinds.js";
import type { RunGetMethodParams, SmcRunResult } from "../api.js";
import type { CallOptions } from "../call-options.js";
import type { Caller } from "../caller.js";
import { parametersInShort } from "../error-message.js";
import { RpcError } from "../errors.js";
import { type StackItem, stack } from "../values/stack.js";

/** A run of a get-method: the contract, the method's name or id, and its arguments. */
export type MethodRun = Omit<RunGetMethodParams, "stack"> & {
  /** Arguments in order. Default: none. */
  readonly stack?: readonly StackItem[] | undefined;
};

/**
 * Runs a get-method; resolves with its result values. Rejects with code `conflict` if the contract has no such method
 * or the run failed: `exitCode` and `exitMeaning` of the error give the reason.
 */
export async function runMethod(
  client: Pick<Caller, "call">,
  run: MethodRun,
  options?: CallOptions,
): Promise<StackItem[]> {
  const params = { ...run, stack: stack.encode(run.stack ?? []) };
  return stack.decode(succeeded(await client.call("runGetMethod", params, options), run).stack);
}

/** The answer of a run that succeeded; throws the error of any other. */
export function succeeded(
  answer: SmcRunResult,
  { method, address }: Pick<MethodRun, "method" | "address">,
  meaningOf: (code: number) => ExitMeaning | undefined = explainComputeCode,
): SmcRunResult {
  const { exit_code: exitCode } = answer;
  if (hasSucceeded(exitCode)) return answer;
  const meaning = meaningOf(exitCode);
  const why = meaning ? `: ${meaning.text}` : "";
  throw new RpcError(
    "conflict",
    `get-method ${method} of ${address} failed with exit code ${exitCode}${why}`,
    {
      exitCode,
      exitName: meaning?.name,
      exitMeaning: meaning?.text,
      method: "runGetMethod",
      parameters: parametersInShort({ address, method }),
      body: answer,
    },
  );
}
