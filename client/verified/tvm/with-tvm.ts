import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { UnexpectedAnswer } from "../../../shared/ton/contracts/get-method.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { RunError } from "../../../shared/ton/run/run-error.js";
import { TlbError } from "../../../shared/ton/tlb/codec.js";
import { StackError } from "../../../shared/ton/tvm/stack.js";
import type { Methods } from "../../api.js";
import type { CallOptions } from "../../call-options.js";
import { RpcError } from "../../errors.js";
import type { DebuggedTransaction, DebugTransactionParams } from "../debug/types.js";
import type { TvmOptions } from "../executor/emulator-script.js";
import { ProvenRuns } from "../executor/proven-runs.js";
import { ProvenSurroundings } from "../executor/proven-surroundings.js";
import { RunPool } from "../executor/run-pool.js";
import { TvmError } from "../executor/tvm-error.js";
import { tvmHandlers } from "../executor/tvm-methods.js";
import type { TvmMethod, TvmReads } from "../executor/tvm-reads.js";
import { maybeCount } from "../inputs.js";
import { later } from "../later.js";
import { type AskingClient, askClaim, provenAsk } from "../proven-ask.js";
import type { ProvenReads } from "../proven-reads.js";
import type { VerifiedClient } from "../verified-client.js";

/** A verified client that runs contracts itself, on proven state. */
export type TvmClient = VerifiedClient &
  Pick<Methods, TvmMethod> & {
    /**
     * Runs a transaction of the chain again, for all its steps. Account, configuration, libraries, earlier blocks and random seed
     * are proven; a false answer rejects with a `ProofError`. A run that differs from the chain's transaction is a result:
     * `run.proof` has its level and the differences.
     */
    debug(params: DebugTransactionParams, options?: CallOptions): Promise<DebuggedTransaction>;
  } & {
    [Name in keyof TvmReads]: (
      params: TvmReads[Name]["params"],
      options?: CallOptions,
    ) => Promise<TvmReads[Name]["result"]>;
  };

type Name = keyof typeof tvmHandlers;
/** A method whose parameters and result have any type. */
type Handler = (
  params: object,
  runsAt: (seqno: number | string | undefined) => Promise<ProvenRuns>,
) => Promise<unknown>;

/**
 * The client with get-methods, tokens, domain names and the debugger. State, libraries and configuration are proven, and TON's emulator
 * runs in this thread. Its files are loaded for the first run.
 */
export function withTvm(client: VerifiedClient, options: TvmOptions): TvmClient {
  const { [provenAsk]: ask, [askClaim]: claims } = client as VerifiedClient & Partial<AskingClient>;
  if (!ask || !claims)
    throw new TypeError("withTvm takes a client of createVerifiedClient, from the same form of the package");
  const pool = new RunPool(options);
  // The client has the same reads for all calls, unless opening it failed before.
  const known = new WeakMap<ProvenReads, ProvenSurroundings>();

  function surroundingsOf(reads: ProvenReads): ProvenSurroundings {
    const surroundings = known.get(reads) ?? new ProvenSurroundings(reads);
    known.set(reads, surroundings);
    return surroundings;
  }

  async function run(name: Name, params: object = {}, given: CallOptions = {}): Promise<unknown> {
    const handler = tvmHandlers[name] as Handler;
    const work = async (reads: ProvenReads, call: LiteCall) => {
      const parts = { reads, surroundings: surroundingsOf(reads), pool };
      const runsAt = async (seqno: number | string | undefined) =>
        ProvenRuns.at(maybeCount("seqno", seqno), parts, call);
      try {
        return await handler(params, runsAt);
      } catch (error) {
        throw explained(name, error);
      }
    };
    return ask!(name, given, work, params);
  }

  async function debug(
    params: DebugTransactionParams,
    given: CallOptions = {},
  ): Promise<DebuggedTransaction> {
    const loading = later("debug", import("../debug/debug.js"));
    const work = async (reads: ProvenReads, call: LiteCall) => {
      const code = await loading;
      try {
        return await code.debug(params, { reads, claims: claims!, pool }, call);
      } catch (error) {
        throw explained("debug", error);
      }
    };
    return ask!("debug", given, work, params);
  }

  const names = Object.keys(tvmHandlers) as Name[];
  const methods = names.map((name) => [
    name,
    (params?: object, given?: CallOptions) => run(name, params, given),
  ]);
  return {
    ...client,
    ...Object.fromEntries(methods),
    debug,
    call: (name: string, params?: object, given?: CallOptions) =>
      Object.hasOwn(tvmHandlers, name)
        ? run(name as Name, params, given)
        : client.call(name, params as never, given),
  } as TvmClient;
}

/** Errors of runs and of contracts as the errors that a service answers with. */
function explained(method: string, error: unknown): unknown {
  const refused = (code: "liteserver-error" | "stack-too-deep", text: string) =>
    new RpcError(code, text, { method, cause: error });
  if (error instanceof StackError)
    return error.code === "shown"
      ? refused("stack-too-deep", error.message)
      : refused("liteserver-error", "TVM stack size exceeds limit");
  const isOfContract =
    error instanceof RunError ||
    error instanceof UnexpectedAnswer ||
    error instanceof CellError ||
    error instanceof TlbError;
  // Callers may share the loading of the emulator.
  if (error instanceof TvmError) return new TvmError(error.reason, error.message, error.cause);
  return isOfContract ? refused("liteserver-error", error.message) : error;
}
