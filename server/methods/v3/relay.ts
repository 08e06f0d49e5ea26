import { ServiceError } from "../../errors.js";
import { withErrorContext } from "../v2/lite-errors.js";

/** Work of the v2 interface: what that refuses is answered with its status, or the given one, and its words. */
export async function relayed<T>(work: Promise<T>, status?: number): Promise<T> {
  try {
    return await withErrorContext("", work);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "internal") throw error;
    throw new ServiceError(error.code, error.textIn("v2"), {
      status: status ?? error.statusIn("v2"),
      data: error.data,
      cause: error,
    });
  }
}
