import { z } from "zod";

/** Whether the JSON schema of a parameter, or one of its alternatives, has the type. */
export function takes(field: z.ZodType, type: "array" | "object" | "null"): boolean {
  const schema = z.toJSONSchema(field, { io: "input", unrepresentable: "any" });
  return [schema, ...(schema.anyOf ?? [])].some((form) => [form.type].flat().includes(type));
}
