import type { Verb } from "../../shared/methods/define.js";
import type { Access } from "../access/access.js";
import type { Dispatcher, Outcome } from "../rpc/dispatch.js";
import type { JsonRpc } from "../rpc/json-rpc.js";
import type { Exchange } from "./exchange.js";
import type { Surface } from "./refusal.js";
import type { UnknownParams } from "./unknown-params.js";

/** Answers a request, or throws the error to answer with. */
export type Handle = (exchange: Exchange) => void | Promise<void>;

/** The handlers of a path by verb, and the format of its errors. */
export type Route = {
  /** The method that all of them call, if it is one. */
  readonly method?: string;
  readonly surface: Surface;
  readonly handlers: Readonly<Partial<Record<Verb, Handle>>>;
};

/** Routes by exact path. */
export type Routes = ReadonlyMap<string, Route>;

/** Dependencies of the routes that answer calls. */
export type CallDeps = {
  access: Access;
  dispatcher: Dispatcher;
  rpc: JsonRpc;
  maxBodyBytes: number;
  /** Treatment of unknown parameters of `/jsonRPC`. */
  unknownParams: UnknownParams;
  /** The gaps of the index that an answer crosses, as text; `undefined` if it crosses none. */
  gapsOfOutcome?: (outcome: Outcome) => string | undefined;
  /** Headers of answers of methods that run transactions. */
  runHeaders?: () => Readonly<Record<string, string>>;
};
