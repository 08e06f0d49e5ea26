import type { Call } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";

/** The owner of a method's subject. The dispatcher rejects callers without a key. */
export function ownerIn({ owner }: Call): string {
  if (owner === undefined) throw new ServiceError("forbidden");
  return owner;
}
