import type { Verb } from "../../shared/methods/define.js";
import type { Access } from "../access/access.js";
import type { Dispatcher, Outcome } from "../rpc/dispatch.js";
import type { JsonRpc } from "../rpc/json-rpc/json-rpc.js";
import type { QueryPairs } from "../rpc/params/params.js";
import type { Exchange } from "./answers/exchange.js";
import type { Surface } from "./answers/refusal.js";
import type { UnknownParams } from "./requests/unknown-params.js";

/** Answers a request, or throws the error to answer with. */
export type Handle = (exchange: Exchange) => void | Promise<void>;

/** The handlers of a path by verb, and the format of its errors. */
export type Route = {
  /** The method that all of them call, if it is one. */
  readonly method?: string;
  readonly surface: Surface;
  readonly handlers: Readonly<Partial<Record<Verb, Handle>>>;
};

/** A route, and the parameters in the path that led to it. */
export type FoundRoute = { readonly route: Route; readonly inPath?: QueryPairs };

/** Routes by path. */
export type Routes = { find(path: string): FoundRoute | undefined };

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
  /** Whether proxies may keep answers of v4: those of a devnet may change. Default: no. */
  isKept?: boolean;
  /** Headers of answers of methods that run transactions. */
  runHeaders?: () => Readonly<Record<string, string>>;
  /** Names the content of the catalogue of contracts; `undefined` without one. */
  catalogueRevision?: () => string | undefined;
};
