import { ServiceError } from "../../errors.js";

/** The error for exceeding a limit of the caller's plan. */
export function limitError<Limits extends { readonly [limit: string]: number }>(
  limit: keyof Limits & string,
  limits: Limits,
): ServiceError {
  const text = `limit of ${limit} exceeded: at most ${limits[limit]}`;
  return new ServiceError("rate-limited", text, { data: { limit } });
}
