import { CellError } from "../../shared/ton/cells/cell-error.js";
import type { Exchange } from "../../shared/ton/lite/exchange.js";
import { type LiteCall, LiteError } from "../../shared/ton/lite/lite-api.js";
import { liteErrorText } from "../../shared/ton/present/errors.js";
import { ProofError } from "../../shared/ton/proofs/verify/proof-error.js";
import { TlbError } from "../../shared/ton/tlb/codec.js";
import type { Methods } from "../api.js";
import type { CallOptions } from "../call-options.js";
import type { Caller } from "../caller.js";
import { createClient } from "../client.js";
import { defaultTimeoutMs } from "../defaults.js";
import { abortedBy, closedByCaller, RpcError, renewed, timedOut } from "../errors.js";
import type { Checked, Claim } from "./claim.js";
import { later } from "./later.js";
import { liteApiOver } from "./lite-query.js";
import { commonHandlers } from "./methods.js";
import { openReads } from "./open-reads.js";
import type { VerifiedClientOptions } from "./options.js";
import { type AskClaim, type AskingClient, askClaim, type ProvenAsk, provenAsk } from "./proven-ask.js";
import { type CommonMethod, type FurtherMethod, type ProvenMethod, provenMethods } from "./proven-method.js";
import type { ProvenReads } from "./proven-reads.js";

/** The methods of an ordinary client whose answers are proven. */
export type VerifiedClient = Pick<Methods, ProvenMethod> &
  Caller & {
    /**
     * Proves a finalized transaction, message or trace as API v3 answers it, by the blocks that it names. Rejects with a
     * `ProofError` for the first member that these contradict.
     */
    check(claim: Claim, options?: CallOptions): Promise<Checked>;
  };

/** A method whose parameters and result have any type. */
type Handler = (params: object, reads: ProvenReads, call: LiteCall) => Promise<unknown>;
/** The part of a call that needs proven reads. */
type Work<T> = (reads: ProvenReads, call: LiteCall) => Promise<T>;

/**
 * A client that believes only what is proven: from a trusted block over the signatures of validators to the newest block,
 * and from there to each answer. Answers that contradict their proofs reject with a `ProofError`. Methods without proofs
 * reject with code `unknown-method`.
 */
export function createVerifiedClient(options: VerifiedClientOptions): VerifiedClient {
  const { transport, apiKey, timeoutMs = defaultTimeoutMs } = options;
  const connect = (retry?: false) =>
    [transport].flat().map((each) => createClient({ transport: each, apiKey, timeoutMs, retry }));
  const clients = connect();
  const senders = connect(false);
  const apis = clients.map((client, index) => liteApiOver(client, senders[index]!));
  const ended = new AbortController();
  let opening: Promise<ProvenReads> | undefined;

  function reads(call: LiteCall): Promise<ProvenReads> {
    if (!opening) {
      const own = openReads(apis, options, call);
      opening = own;
      own.catch(() => {
        // The caller gets the error; the next one tries again.
        if (opening === own) opening = undefined;
      });
    }
    return opening;
  }

  async function run<T>(
    name: string,
    loading: Promise<Work<T>>,
    given: CallOptions = {},
    params?: object,
  ): Promise<T> {
    const { timeoutMs: ms = timeoutMs, signal } = given;
    const bytes: Exchange[] = [];
    const heard = (exchange: Exchange) => void bytes.push(exchange);
    const stopped = new AbortController();
    const answer = Promise.all([loading, reads({ heard })]).then(([work, ready]) =>
      work(ready, { heard, signal: stopped.signal }),
    );
    try {
      return await within({ name, ms, signal, ended: ended.signal }, answer);
    } catch (error) {
      stopped.abort();
      const known = explained(error, bytes);
      // Wrong answers to liteserver queries are reported where they come, and wrong claims here.
      if (known instanceof ProofError && known.evidence.method === name && !isProven(name))
        options.onProofError?.(known);
      throw renewed(known, name, params);
    }
  }

  async function call(name: string, params: object = {}, given?: CallOptions): Promise<unknown> {
    if (!isProven(name))
      throw new RpcError("unknown-method", `no answer of ${name} can be proven`, { method: name });
    const handler = handlerOf(name).then(
      (handle): Work<unknown> =>
        (ready, own) =>
          handle(params, ready, own),
    );
    return run(name, handler, given, params);
  }

  async function check(claim: Claim, given?: CallOptions): Promise<Checked> {
    const loaded = later("check", import("./check/check.js"));
    const work = loaded.then(
      (code): Work<Checked> =>
        (ready, own) =>
          code.check(claim, ready, own),
    );
    return run("check", work, given);
  }

  const claim: AskClaim = async (name, params, { signal }) => {
    const failures: unknown[] = [];
    for (const client of clients)
      try {
        return await client.call(name as never, params as never, { signal });
      } catch (error) {
        if (signal?.aborted) throw error;
        failures.push(error);
      }
    throw failures[0];
  };

  const ask: ProvenAsk = (name, given, work, params) => run(name, Promise.resolve(work), given, params);

  const methods = Object.fromEntries(
    provenMethods.map((name) => [name, (params?: object, given?: CallOptions) => call(name, params, given)]),
  );
  return {
    ...methods,
    call,
    check,
    [provenAsk]: ask,
    [askClaim]: claim,
    close() {
      ended.abort();
      for (const client of [...clients, ...senders]) client.close();
    },
  } as VerifiedClient & AskingClient;
}

function isProven(name: string): name is ProvenMethod {
  return provenMethods.includes(name as ProvenMethod);
}

async function handlerOf(name: ProvenMethod): Promise<Handler> {
  if (Object.hasOwn(commonHandlers, name)) return commonHandlers[name as CommonMethod] as Handler;
  const { furtherHandlers } = await later(name, import("./further-methods.js"));
  return furtherHandlers[name as FurtherMethod] as Handler;
}

type Bounds = { name: string; ms: number; signal: AbortSignal | undefined; ended: AbortSignal };

/** The answer, unless the caller, the deadline or the end of the client comes first. */
function within<T>({ name, ms, signal, ended }: Bounds, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortedBy(signal!, name));
    const close = () => reject(closedByCaller());
    const timer = ms > 0 ? setTimeout(() => reject(timedOut(name, ms)), ms) : undefined;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      ended.removeEventListener("abort", close);
    };
    answer.then(resolve, reject).then(settle);
    if (ended.aborted) close();
    else if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    ended.addEventListener("abort", close);
  });
}

/** A ProofError with all bytes of the call; errors of liteservers and of parameters as the RpcErrors of other clients. */
function explained(error: unknown, bytes: readonly Exchange[]): unknown {
  if (error instanceof ProofError) return new ProofError(error.message, { ...error.evidence, bytes }, error);
  if (error instanceof LiteError)
    return new RpcError("liteserver-error", liteErrorText(error), { cause: error, body: error });
  if (error instanceof CellError || error instanceof TlbError)
    return new RpcError("bad-boc", error.message, { cause: error });
  return error;
}
