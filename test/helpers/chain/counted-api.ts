import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";

/** The same server, which notes the names of the queries that it is asked. */
export function countedApi(api: LiteApi, asked: string[]): LiteApi {
  const entries = Object.entries(api).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      asked.push(name);
      return (method as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(entries) as LiteApi;
}
