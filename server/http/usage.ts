import { utcDay } from "../../shared/values/utc-text.js";
import type { Access } from "../access/access.js";
import {
  daysOf,
  monthOf,
  nextMonthAfter,
  rangeOf,
  readUsage,
  type UsageStore,
  usageCsv,
} from "../access/usage/usage.js";
import { ServiceError } from "../errors.js";
import { admit } from "./requests/admit.js";
import { lastOf, parseQuery } from "./requests/query.js";
import type { Handle, Route } from "./routes.js";

/** Days, after the first ones, that cost one more point: each may be a file to read. */
const daysPerPoint = 31;

const csvType = "text/csv; charset=utf-8";

type UsageDeps = {
  access: Access;
  /** Wall clock, ms. */
  now: () => number;
};

/** `GET /usage`: the days of the caller's own key. It costs points of the rate limit, but no call of a quota. */
export function usageRoute({ access, now }: UsageDeps): [path: string, route: Route] {
  const handle: Handle = async (exchange) => {
    const { keyId, owner, plan } = await admit(exchange, access);
    if (keyId === undefined || owner === undefined)
      throw new ServiceError("forbidden", "/usage needs an API key, and shows what that key has used");
    const { range, isCsv } = askedUsage(exchange.search, now());
    exchange.settle(Math.floor(daysOf(range) / daysPerPoint));
    const days = await readUsage(access.usage, { ...range, key: owner });
    if (isCsv) return exchange.send(200, usageCsv(days), csvType);
    const { calls, points } = access.usage.used(owner);
    const answer = {
      key: owner,
      plan: plan.name,
      month: {
        month: monthOf(utcDay(now())),
        ...{ calls, points },
        quota: { calls: plan.month?.calls ?? null, points: plan.month?.points ?? null },
        resets_at: new Date(nextMonthAfter(now())).toISOString(),
      },
      days: days.map(({ key: _, ...day }) => day),
    };
    return exchange.send(200, JSON.stringify(answer));
  };
  return ["/usage", { surface: "v2", handlers: { GET: handle } }];
}

/** The days of all keys, or of one, for the operator. Throws `invalid-params`. */
export async function operatorUsage(
  store: Pick<UsageStore, "read">,
  search: string,
  now: number,
): Promise<{ type: string; body: string }> {
  const { range, isCsv } = askedUsage(search, now);
  const rows = await readUsage(store, range);
  return isCsv
    ? { type: csvType, body: usageCsv(rows) }
    : { type: "application/json", body: `${JSON.stringify(rows)}\n` };
}

function askedUsage(search: string, now: number) {
  const query = parseQuery(search);
  const format = lastOf(query, "format") ?? "json";
  if (format !== "json" && format !== "csv")
    throw new ServiceError("invalid-params", "format is json or csv", { data: { param: "format" } });
  const [from, to, key] = ["from", "to", "key"].map((name) => lastOf(query, name));
  return { range: rangeOf({ from, to, key }, now), isCsv: format === "csv" };
}
