import { isRpcError } from "../../../../client/errors.js";

/** The answer of a call that a view can do without; `undefined` if it is refused or fails. The view shows less then. */
export async function optional<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isRpcError(error, "aborted")) throw error;
    return undefined;
  }
}
