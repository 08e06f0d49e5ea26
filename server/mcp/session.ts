import { withWords } from "./definitions.js";

/** The service that tools read, as one caller reaches it. */
export interface Session {
  /** Calls a method of the registry. Rejects with a `CallFailure`. */
  call(method: string, params: object): Promise<unknown>;
  /** Whether the caller may call a method of this name. */
  has(method: string): Promise<boolean>;
}

/** A call that the service refused, or that did not reach it. */
export class CallFailure extends Error {
  /** A code of the error table, or one of the client's. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "CallFailure";
    this.code = code;
  }
}

/** The result of a call; undefined if what it asks for does not exist. */
export async function foundBy<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CallFailure && error.code === "absent") return undefined;
    throw error;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** A part of an overview: the result, empty if what it asks for does not exist; without an index, or if the call fails, `failure` says why. */
export async function part(session: Session, method: string, params: object): Promise<Members> {
  try {
    return ((await foundBy(session.call(method, withWords(method, params)))) ?? {}) as Members;
  } catch (error) {
    if (error instanceof CallFailure) return { failure: error.message };
    throw error;
  }
}
