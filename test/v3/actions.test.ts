import { describe, expect, it } from "vitest";
import type { Action } from "../../shared/schema/v3/actions.js";
import { isLong, sized } from "../helpers/effort.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

const encoded = encodeURIComponent;

describeStoryReads((story) => {
  const all = async () => (await story.ask("actions", "limit=1000")).actions;

  describe("v3.actions", () => {
    it("lists the actions of all complete traces, by the end of the trace", async () => {
      const actions = await all();
      expect(new Set(actions.map(({ type }) => type))).toContain("ton_transfer");
      expect(new Set(actions.map(({ type }) => type))).toContain("jetton_transfer");
      for (const { type, details } of actions)
        if (type === "ton_transfer") expect(details.value_extra_currencies).toEqual({});
      const ends = actions.map(({ trace_end_lt }) => BigInt(trace_end_lt));
      expect(ends).toEqual([...ends].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      for (const { transactions, finality } of actions) {
        expect(transactions.length).toBeGreaterThan(0);
        expect(finality).toBe("finalized");
      }
    });

    it("pages without gaps, in both directions", async () => {
      const actions = await all();
      const limit = sized(40, 7);
      for (const sort of ["asc", "desc"]) {
        const paged: Action[] = [];
        for (let offset = 0; offset < actions.length; offset += limit)
          paged.push(...(await story.ask("actions", `limit=${limit}&offset=${offset}&sort=${sort}`)).actions);
        expect(paged).toEqual(sort === "desc" ? actions : [...actions].reverse());
      }
    });

    it("omits the value of external messages", async () => {
      const deployments = (await all()).filter(({ type }) => type === "contract_deploy");
      const fromOutside = deployments.filter(({ details }) => !("source" in details));
      expect(fromOutside).not.toEqual([]);
      for (const { details } of fromOutside) expect(details).not.toHaveProperty("value");
    });

    it("finds actions by id, trace, transaction, account, type and block", async () => {
      const actions = await all();
      const one = actions.find(({ type }) => type === "jetton_transfer")!;
      const ask = async (query: string) => (await story.ask("actions", `limit=1000&${query}`)).actions;
      expect(await ask(`action_id=${encoded(one.action_id)}`)).toEqual([one]);
      const ofTrace = actions.filter(({ trace_id }) => trace_id === one.trace_id);
      expect(await ask(`trace_id=${encoded(one.trace_id!)}`)).toEqual(ofTrace);
      const transaction = one.transactions.at(-1)!;
      const withIt = actions.filter(({ transactions }) => transactions.includes(transaction));
      expect(await ask(`tx_hash=${encoded(transaction)}`)).toEqual(withIt);
      expect(await ask("action_type=jetton_transfer,jetton_mint")).toEqual(
        actions.filter(({ type }) => type === "jetton_transfer" || type === "jetton_mint"),
      );
      expect(await ask("action_type=jetton_mint&action_type=jetton_mint")).toEqual(
        await ask("action_type=jetton_mint"),
      );
      expect(await ask("exclude_action_type=jetton_transfer")).toEqual(
        actions.filter(({ type }) => type !== "jetton_transfer"),
      );
      expect(await ask(`mc_seqno=${one.trace_mc_seqno_end}`)).toEqual(
        actions.filter(({ trace_mc_seqno_end }) => trace_mc_seqno_end === one.trace_mc_seqno_end),
      );
      expect(await ask(`start_lt=${one.trace_end_lt}&end_lt=${one.trace_end_lt}`)).toEqual(ofTrace);
      const atTime = await ask(`start_utime=${one.trace_end_utime}&end_utime=${one.trace_end_utime}`);
      expect(atTime).toContainEqual(one);
      const withAccounts = await ask("include_accounts=true");
      const [account] = withAccounts.find(({ action_id }) => action_id === one.action_id)!.accounts!;
      const own = withAccounts.filter(({ accounts }) => accounts!.includes(account!));
      expect(await ask(`account=${account}&include_accounts=true`)).toEqual(own);
    });

    it("finds the actions of an account in traces that it began, and in all others", async () => {
      const { transactions } = await story.ask("transactions", "limit=1000");
      const accounts = new Map(transactions.map(({ hash, account }) => [hash, account]));
      const actions = (await story.ask("actions", "limit=1000&include_accounts=true")).actions;
      const began = actions.map(({ trace_id }) => accounts.get(trace_id!)!);
      const busy = [...new Set(began)].filter(
        (account) => actions.filter((action) => action.accounts!.includes(account)).length > 5,
      );
      let mixed = 0;
      for (const account of busy) {
        const ask = async (more: string) =>
          (await story.ask("actions", `account=${account}&limit=1000&include_accounts=true${more}`)).actions;
        const own = actions.filter((action) => action.accounts!.includes(account));
        const isBegun = (action: Action) => accounts.get(action.trace_id!) === account;
        const [initiated, others] = [own.filter(isBegun), own.filter((action) => !isBegun(action))];
        expect(await ask("&initiated_by_account=true")).toEqual(initiated);
        expect(await ask("&initiated_by_account=false")).toEqual(others);
        expect(await ask("&initiated_by_account=true&action_type=ton_transfer")).toEqual(
          initiated.filter(({ type }) => type === "ton_transfer"),
        );
        if (initiated.length > 0 && others.length > 0) mixed++;
      }
      expect(mixed).toBeGreaterThan(2);
      // Without an account it has no effect.
      const all = await story.ask("actions", "limit=1000&include_accounts=true&initiated_by_account=true");
      expect(all.actions).toEqual(actions);
    });

    it("finds the actions of both sides of a message, by its hash and its normalized one", async () => {
      const actions = await all();
      const { messages } = await story.ask("messages", "limit=1000");
      let hasTwoSides = 0;
      for (const [at, { hash, hash_norm, in_msg_tx_hash, out_msg_tx_hash }] of messages.entries()) {
        const sides = [in_msg_tx_hash, out_msg_tx_hash].filter((side) => typeof side === "string");
        const expected = actions.filter(({ transactions }) =>
          sides.some((side) => transactions.includes(side)),
        );
        const ofSides = sides.map((side) =>
          actions.filter(({ transactions }) => transactions.includes(side)),
        );
        const isOfBoth = ofSides.every((each) => each.length < expected.length);
        if (isOfBoth) hasTwoSides++;
        // In `npm test` the first ones with actions of both sides, and some of the others.
        if (!isLong && at % 40 !== 0 && !(isOfBoth && hasTwoSides <= 5)) continue;
        for (const each of new Set([hash, hash_norm ?? hash]))
          expect((await story.ask("actions", `limit=1000&msg_hash=${encoded(each)}`)).actions).toEqual(
            expected,
          );
      }
      expect(hasTwoSides).toBeGreaterThan(10);
    });

    it("are the actions that traces include", async () => {
      const { traces } = await story.ask("traces", "limit=1000&include_actions=true");
      const listed = traces.flatMap(({ actions }) => actions!.map(({ action_id }) => action_id));
      expect(listed.sort()).toEqual((await all()).map(({ action_id }) => action_id).sort());
    });

    it("includes the transactions that are asked for", async () => {
      const { actions } = await story.ask("actions", "limit=5&include_transactions=true");
      for (const { transactions, transactions_full } of actions)
        expect(transactions_full!.map(({ hash }) => hash)).toEqual(transactions);
    });

    it("explains all addresses of the actions", async () => {
      const { actions, address_book } = await story.ask("actions", "limit=1000");
      for (const address of JSON.stringify(actions).match(/-?\d:[0-9A-F]{64}/g)!)
        expect(address_book).toHaveProperty(address);
    });

    it("refuses types with other characters", async () => {
      for (const name of ["action_type", "exclude_action_type"]) {
        const { status, json } = await story.app.ask(`/api/v3/actions?${name}=a'b`);
        expect([status, json]).toEqual([422, { error: `${name} contains invalid characters` }]);
      }
    });

    it("answers 404 for a masterchain block that the index does not have", async () => {
      const { status, json } = await story.app.ask("/api/v3/actions?mc_seqno=999999999");
      expect([status, json]).toEqual([404, { error: "masterchain block 999999999 not found" }]);
    });
  });

  describe("v3.balanceChanges", () => {
    const changesOf = (query: string) => story.ask("balanceChanges", query);

    /** In `npm test` a part of them. */
    const chosen = (_: unknown, at: number) => at % sized(3, 1) === 0;

    it("equal the changes of the accounts' balances, for a whole trace, with the fees of all whose balance could change", async () => {
      const { traces } = await story.ask("traces", "limit=1000");
      const whole = traces.filter(
        ({ trace_info, external_hash }) => trace_info.trace_state === "complete" && external_hash !== null,
      );
      expect(whole.length).toBeGreaterThan(10);
      let compared = 0;
      let free = 0;
      for (const { trace_id, transactions } of whole.filter(chosen)) {
        const expected = new Map<string, bigint | undefined>();
        for (const { account, account_state_before: before, account_state_after: after } of Object.values(
          transactions!,
        )) {
          const known = expected.has(account) ? expected.get(account) : 0n;
          const wasAbsent = before.account_status === "nonexist";
          const start = wasAbsent ? "0" : before.balance;
          // The state between two transactions of one block is not known.
          const isKnown = known !== undefined && start && after.balance;
          expected.set(account, isKnown ? known + BigInt(after.balance!) - BigInt(start!) : undefined);
        }
        const { changes, fees } = await changesOf(`trace_id=${encoded(trace_id!)}`);
        expect(Object.keys(fees).sort()).toEqual(Object.keys(changes).sort());
        free += Object.values(fees).filter((each) => each === 0).length;
        for (const [account, change] of expected) {
          // Accounts of the masterchain are edited by the devnet, too.
          if (change === undefined || account.startsWith("-1:")) continue;
          expect(changes[account], account).toBe(Number(change));
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(20);
      expect(free).toBeGreaterThan(0);
    });

    it("are of the transactions of an action", async () => {
      const transfer = (await all()).find(({ type, success }) => type === "jetton_transfer" && success)!;
      const { details, action_id } = transfer as Action & { type: "jetton_transfer" };
      const { jettons, fees } = await changesOf(`action_id=${encoded(action_id)}`);
      expect(jettons[details.sender!]![details.asset!]).toBe(`-${details.amount}`);
      expect(jettons[details.receiver!]![details.asset!]).toBe(details.amount);
      expect(fees[details.sender_jetton_wallet!]).toBeGreaterThan(0);
    });

    it("needs a trace or an action, and one that exists", async () => {
      const none = await story.app.ask("/api/v3/balanceChanges");
      expect([none.status, none.json]).toEqual([400, { error: "trace_id or action_id is required" }]);
      for (const name of ["trace_id", "action_id"]) {
        const { status, json } = await story.app.ask(`/api/v3/balanceChanges?${name}=${"ab".repeat(32)}`);
        expect([status, json]).toEqual([404, { error: "trace or action not found" }]);
      }
    });
  });
});
