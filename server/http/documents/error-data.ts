import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import type { RefusedParam } from "../../../shared/rpc/refused-param.js";

const text = (description: string): JsonSchema => ({ type: "string", description });

const refused: Record<keyof RefusedParam, JsonSchema> = {
  param: text("Its name."),
  index: { type: "integer", minimum: 0, description: "Index of the refused item, if it is a list." },
  wanted: text("What it takes, in words."),
  given: { description: "The beginning of what was given; absent if it is missing. Secrets are not shown." },
  reason: text("Why it was refused, where it is not for its form."),
};

/** `error.data` of the strict dialect. Some errors have further members. */
export const errorData: JsonSchema = {
  type: "object",
  properties: {
    code: { type: "integer", description: "The HTTP status that REST answers with." },
    kind: text("The kind of the error: its name in `components.errors`."),
    reason: text("The text of the other dialect, where JSON-RPC 2.0 prescribes the message."),
    error: text("The text of the other dialect, where the message is a sentence for people."),
    hint: text("What can be done about it."),
    retry_after: { type: "integer", minimum: 1, description: "Seconds to wait before the next attempt." },
    param: text("The parameter that the message is about."),
    refused: {
      type: "array",
      maxItems: 5,
      description: "The parameters that were refused: what was wanted, and what was given.",
      items: { type: "object", properties: refused, required: ["param", "wanted"] },
    },
  },
  required: ["code", "kind"],
};

/** What the data of a refused parameter have in addition. */
export const refusedExample: { param: string; refused: readonly RefusedParam[] } = {
  param: "limit",
  refused: [{ param: "limit", wanted: "an integer from 1 to 1000", given: "many" }],
};
