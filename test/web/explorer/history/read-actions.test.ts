import { expect, it } from "vitest";
import type { Action } from "../../../../client/api.js";
import { ActionReader } from "../../../../server/web/explorer/history/read-actions.js";
import type { Call } from "../../../../server/web/explorer/view.js";

type Asked = { limit: number; end_lt?: string; offset?: number; action_type?: string[] };

/** A list as the service has it: newest first, with actions of one trace beside each other. */
function serviceOf(lts: readonly number[]) {
  const actions = lts.map((lt, id) => ({
    action_id: String(id),
    trace_end_lt: String(lt),
    accounts: id % 3 === 0 ? ["0:AA"] : [],
    details: id % 3 === 1 ? { nested: [{ asset: "0:AA" }] } : {},
  }));
  const asked: Asked[] = [];
  const call = (async (_method: string, params: Asked) => {
    asked.push(params);
    const { end_lt, offset = 0, limit } = params;
    const found = actions.filter(({ trace_end_lt: lt }) => !end_lt || Number(lt) <= Number(end_lt));
    return { actions: found.slice(offset, offset + limit), address_book: {}, metadata: {} };
  }) as unknown as Call;
  return { call, asked };
}

async function all(reader: ActionReader): Promise<string[]> {
  const found: Action[] = [];
  while (!reader.isAtEnd) found.push(...(await reader.next()).actions);
  return found.map(({ action_id: id }) => id);
}

it.each([1, 2, 3, 4, 10, 100])("reads each action once, %i at a time", async (limit) => {
  const { call } = serviceOf([9, 9, 9, 9, 9, 7, 6, 6, 5, 5, 5, 1]);
  const ids = await all(new ActionReader(call, "0:BB", { limit }));
  expect(ids).toEqual([...Array(12).keys()].map(String));
});

it("finds accounts that take part, and tokens in the details", async () => {
  const { call } = serviceOf([3, 3, 2, 2, 1]);
  const ids = await all(new ActionReader(call, "0:BB", { limit: 2, other: "0:AA" }));
  expect(ids).toEqual(["0", "1", "3", "4"]);
});

it("asks for the types of a kind", async () => {
  const { call, asked } = serviceOf([1]);
  await all(new ActionReader(call, "0:BB", { limit: 2, kind: "subscription" }));
  expect(asked[0]!.action_type).toEqual(["subscribe", "unsubscribe"]);
});
