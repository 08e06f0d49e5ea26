import { createJSONRPCErrorResponse, JSONRPCErrorCode, type JSONRPCID, JSONRPCServer } from "json-rpc-2.0";
import { ServiceError } from "../../errors.js";
import type { Ending, Outcome } from "../dispatch.js";

/**
 * Adapter to json-rpc-2.0. Each call that is not answered from the cache, single or in a batch, is one `receive` of the
 * library, which finds the method, runs it and refuses unknown names. Outcomes bypass its response objects: results are
 * JSON text already, and both dialects are written from the same outcome. Batches, ids, notifications and envelopes are
 * ours, because the library answers a batch of one without an array and knows one dialect only. Cached results skip the
 * library: with every entry through it a batch of 100 fell from about 0.65 to 0.48 of a bare server (`npm run bench --
 * http`).
 */
export class MethodServer {
  readonly #library = new JSONRPCServer<Ticket>({ errorListener: () => {} });

  constructor(names: Iterable<string>) {
    this.#library.mapErrorToJSONRPCErrorResponse = (id: JSONRPCID) =>
      createJSONRPCErrorResponse(id, JSONRPCErrorCode.InternalError, "Internal error");
    for (const name of names) this.#library.addMethod(name, (_, ticket) => ticket.run());
  }

  /** Runs `work` as the method of this name. Returns an error if there is no such method. */
  async run(method: string, work: (() => Ending) | undefined): Promise<Outcome | ServiceError> {
    const ticket = new Ticket(work);
    const response = await this.#library.receive({ jsonrpc: "2.0", id: 0, method }, ticket);
    const outcome = ticket.takeOutcome();
    if (outcome) return outcome;
    const isUnknown = response?.error?.code === JSONRPCErrorCode.MethodNotFound;
    return new ServiceError(isUnknown ? "unknown-method" : "internal");
  }
}

/**
 * Carries a call into the library and its outcome out. V8 retains the library's closures until the next full
 * collection, so a request passed directly would stay in memory long after its answer; a ticket is emptied.
 */
class Ticket {
  #work: (() => Ending) | undefined;
  #outcome: Outcome | undefined;

  constructor(work: (() => Ending) | undefined) {
    this.#work = work;
  }

  run(): true | Promise<true> {
    const ending = this.#work!();
    return ending instanceof Promise ? ending.then((outcome) => this.#keep(outcome)) : this.#keep(ending);
  }

  #keep(outcome: Outcome): true {
    this.#outcome = outcome;
    return true;
  }

  takeOutcome(): Outcome | undefined {
    const outcome = this.#outcome;
    this.#work = undefined;
    this.#outcome = undefined;
    return outcome;
  }
}
