import { ServiceError } from "../../errors.js";
import { withErrorContext } from "../v2/lite-errors.js";

/** For v3 methods that run v2 code: errors keep their v2 text, and their v2 status unless another is given. */
export async function withV2Errors<T>(work: Promise<T>, status?: number): Promise<T> {
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
