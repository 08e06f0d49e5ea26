import { expect, it } from "vitest";
import { Address } from "../../shared/values/address.js";
import { rowsIn } from "../helpers/http/rows-in.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

const most = 1000;
const strangers = Array.from({ length: most }, (_, n) => {
  const hash = new Uint8Array(32);
  new DataView(hash.buffer).setUint32(0, n + 1);
  return new Address(0, hash).toRaw();
});

type Row = Readonly<Record<string, string>>;

/** The lists, with the member of a row that each parameter filters by. */
const reads = [
  ["jetton/wallets", "owner_address", "owner"],
  ["jetton/wallets", "address", "address"],
  ["nft/items", "owner_address", "owner_address"],
  ["nft/items", "address", "address"],
] as const;

/** Some addresses of the rows; not all items have an owner. */
function namedIn(rows: readonly Row[], member: string): string[] {
  return [...new Set(rows.flatMap((row) => row[member] ?? []))].slice(0, 5);
}

describeStoryReads((story) => {
  it.each(reads)("reads %s of 1,000 addresses by POST: %s", async (path, parameter, member) => {
    const all = rowsIn(await story.app.v3(`${path}?limit=${most}`)) as Row[];
    const named = namedIn(all, member);
    expect(named.length).toBeGreaterThan(1);
    const addresses = [...strangers.slice(named.length), ...named];
    const wanted = all.filter((row) => named.includes(row[member]!));
    const { status, json } = await story.app.post(`/api/v3/${path}`, { [parameter]: addresses, limit: most });
    expect(status).toBe(200);
    expect(rowsIn(json)).toEqual(wanted);
    const byGet = named.map((address) => `${parameter}=${encodeURIComponent(address)}`).join("&");
    expect(rowsIn(await story.app.v3(`${path}?${byGet}&limit=${most}`))).toEqual(wanted);
  });

  it.each(reads)("reads %s of 1,000 addresses by cursor: %s", async (path, parameter, member) => {
    const all = rowsIn(await story.app.v3(`${path}?limit=${most}`)) as Row[];
    const named = namedIn(all, member);
    const addresses = [...strangers.slice(named.length), ...named];
    const found: Row[] = [];
    for (let cursor: string | null = "start"; cursor !== null; ) {
      const body = { [parameter]: addresses, limit: 2, cursor };
      const { status, json } = await story.app.post(`/api/v3/${path}`, body);
      expect(status).toBe(200);
      found.push(...(rowsIn(json) as Row[]));
      cursor = (json as { cursor: string | null }).cursor;
    }
    expect(found).toEqual(all.filter((row) => named.includes(row[member]!)));
  });

  it.each(reads)("refuses more for %s: %s", async (path, parameter) => {
    const body = { [parameter]: [...strangers, strangers[0]] };
    const { status, json } = await story.app.post(`/api/v3/${path}`, body);
    expect([status, json]).toEqual([422, { error: "maximum 1000 addresses allowed" }]);
  });

  it("costs points by the number of addresses", () => {
    const points = (params: object) => story.app.rpc.callPoints({ method: "v3.jetton.wallets", params });
    expect(points({ owner_address: strangers.slice(0, 1) })).toBe(1);
    expect(points({ owner_address: strangers, limit: most })).toBe(110);
  });
});
