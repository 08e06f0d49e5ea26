import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { readFunction } from "../../chain/gateway/answer-function.js";
import { costBytes, costOf, lastingOf } from "../../chain/gateway/function-kinds.js";

const costCharacters = Math.ceil(costBytes / 3) * 4;

/** Freshness and cost of `lite.query`, by the function that a call contains. */
export const liteContent = {
  freshness({ query }: Readonly<Record<string, unknown>>) {
    try {
      return { kind: lastingOf(readFunction(query as Uint8Array).query) };
    } catch (error) {
      // The answer is this error, and errors are not cached.
      if (error instanceof LiteError) return { kind: "none" as const };
      throw error;
    }
  },

  points(given: (name: string) => unknown): number {
    const query = given("query");
    const start = typeof query === "string" ? base64ToBytes(query.slice(0, costCharacters)) : undefined;
    return start === undefined ? 1 : costOf(start);
  },
};
