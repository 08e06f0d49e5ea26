import { afterAll, beforeAll, expect, it } from "vitest";
import { toncenterLayout } from "../../../server/store/toncenter/layout.js";
import { actionTypes } from "../../../shared/schema/v3/actions.js";
import { type IndexApp, startIndexApp } from "../../helpers/http/index-app.js";
import { rowsOfEveryType, storeActions } from "../../helpers/index/every-action.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { describeWithTraces } from "../../helpers/test-data.js";
import { exportIndex } from "../../helpers/toncenter/export.js";

type Answer = { actions: { action_id: string; details: object }[] };

describeWithTraces("Actions of TON Center", (cases) =>
  describePostgres("of every type", (_fresh, server) => {
    let apps: { own: IndexApp; foreign: IndexApp };
    let close: () => Promise<void>;
    let foreignSql: ReturnType<typeof queriesOf>;
    beforeAll(async () => {
      const own = openPatiently(await server().databaseWithSchema());
      const foreign = openPatiently(await server().database());
      foreignSql = queriesOf(foreign);
      await storeActions(own, rowsOfEveryType(cases));
      await exportIndex(queriesOf(own), foreignSql);
      const layout = toncenterLayout({ hasFlags: true });
      apps = { own: await startIndexApp(own), foreign: await startIndexApp(foreign, { layout }) };
      close = async () => {
        for (const each of [apps.own, apps.foreign, own, foreign]) await each.close();
      };
    });
    afterAll(() => close());

    it.each(actionTypes)("have the same details: %s", async (type) => {
      const path = `actions?action_type=${type}&include_accounts=true&limit=1000`;
      const expected = await apps.own.result<Answer>(path);
      expect(await apps.foreign.result(path)).toEqual(expected);
      if (type !== "extra_currency_transfer") expect(expected.actions.length).toBeGreaterThan(0);
    });

    it("are answered without the details that they should have", async () => {
      const columns = await foreignSql.query<{ name: string }>({
        text: `select attname as name from pg_attribute
          where attrelid = 'actions'::regclass and attname like '%\\_data'`,
        values: [],
      });
      const empty = columns.map(({ name }) => `${name} = null`).join(", ");
      await foreignSql.query({ text: `update actions set ${empty}, source = 'addr_none'`, values: [] });
      // Earlier versions of ton-indexer do not have it.
      await foreignSql.query({ text: "alter table actions drop column extra", values: [] });
      const path = "actions?limit=1000";
      const idsFrom = async (app: IndexApp) =>
        (await app.result<Answer>(path)).actions.map(({ action_id }) => action_id);
      const ids = await idsFrom(apps.foreign);
      expect(ids).toEqual(await idsFrom(apps.own));
      expect(ids.length).toBeGreaterThan(actionTypes.length - 1);
    });
  }),
);
