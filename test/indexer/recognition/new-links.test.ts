import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { startDetection } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { startStory } from "../../helpers/stories/story-app.js";

describeDatabases("Links of new tokens", (fresh) => {
  test("are queued as the tokens are recognised, if they are all to be fetched", async () => {
    const devnet = await startStory();
    onTestFinished(() => devnet.close());
    const contracts = await startDetection(devnet, { metadataFetch: "all" });
    onTestFinished(() => contracts.close());
    const database = await fresh();
    const index = () =>
      indexAll(database, devnet.api, { events: devnet.events, detection: contracts.detection });
    await index();
    const queries = queriesOf(database);
    const queued = () =>
      queries.query<{ due: boolean }>(SQL`
        select address, type, url, next_try_at < extract(epoch from now()) * 1000 as due
        from address_metadata order by address, type`);
    const before = await queued();
    expect(before).toEqual(
      await queries.query(SQL`
        select * from (
          select address, 0::smallint as type, jetton_content ->> 'uri' as url, true as due from jetton_masters
          union all select address, 1::smallint, collection_content ->> 'uri', true from nft_collections
          union all select address, 2::smallint, content ->> 'uri', true from nft_items) token
        where url is not null order by address, type`),
    );
    expect(before.length).toBeGreaterThan(4);
    // Recognised again, they are not queued again.
    await queries.query(SQL`update address_metadata set next_try_at = null`);
    const [master] = await queries.query<{ address: Uint8Array }>(
      SQL`select address from jetton_masters limit 1`,
    );
    await devnet.controls.setBalance({ workchain: 0, id: master!.address.slice(1) }, 5_000_000_000n);
    await devnet.controls.mine(1);
    await index();
    expect((await queued()).every(({ due }) => due === null)).toBe(true);
  });
});
