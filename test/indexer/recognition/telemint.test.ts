import SQL from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { addressFromBytes, addressToBytes } from "../../../server/store/address-bytes.js";
import { selectRows } from "../../../server/store/queries/rows.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import {
  type TelemintMethods,
  telemintCode,
  telemintItem,
  tolkAddress,
} from "../../helpers/contracts/sale-code.js";
import { describeContracts } from "../../helpers/index/describe-contracts.js";
import { someAddress } from "../../helpers/index/detection.js";
import { anyKind } from "../../helpers/store/databases.js";

const [beneficiary, bidder, royalty] = [someAddress(1), someAddress(2), someAddress(3)];
const good = telemintItem({ name: "nugget", beneficiary, bidder, royalty });
const none = "beginCell().storeUint(0, 2).endCell().beginParse()";

/** Methods of which one is not as it must be. */
const rejected: [what: string, Partial<TelemintMethods>][] = [
  ["the name is a number", { name: "int { return 5; }" }],
  ["the name is no text in UTF-8", { name: "slice { return beginCell().storeUint(0xff, 8).toSlice(); }" }],
  ["the name has half a byte", { name: "slice { return beginCell().storeUint(6, 4).toSlice(); }" }],
  ["the name throws", { name: "slice { throw 5; }" }],
  [
    "the beneficiary is addr_none",
    { config: `(slice, int, int, int, int, int) { return (${none}, 0, 0, 0, 0, 0); }` },
  ],
  [
    "the beneficiary is a number",
    { config: "(int, int, int, int, int, int) { return (0, 0, 0, 0, 0, 0); }" },
  ],
  [
    "the configuration lacks a value",
    { config: `(address, int, int, int, int) { return (${tolkAddress(beneficiary)}, 0, 0, 0, 0); }` },
  ],
  ["the configuration throws", { config: "(address?, int, int, int, int, int) { throw 5; }" }],
  [
    "the step has 65 bits",
    { config: "(address?, int, int, int, int, int) { return (null, 0, 0, 1 << 64, 0, 0); }" },
  ],
  ["the royalty has no receiver", { royalty: `(int, int, slice) { return (5, 100, ${none}); }` }],
  [
    "the royalty is a cell",
    { royalty: `(cell, int, address) { return (createEmptyCell(), 100, ${tolkAddress(royalty)}); }` },
  ],
  [
    "the royalty never ends",
    {
      royalty: `(int, int, address) { var i = 0; while (i >= 0) { i += 1; } return (i, 1, ${tolkAddress(royalty)}); }`,
    },
  ],
];

/** States that count as none. */
const withoutState: [what: string, string][] = [
  ["it throws", "(slice, int, int, int, int) { throw 219; }"],
  ["the bidder is addr_none", `(slice, int, int, int, int) { return (${none}, 1, 1, 1, 1); }`],
  ["the end has 65 bits", "(address?, int, int, int, int) { return (null, 1, 1, 1, 1 << 64); }"],
];

describeContracts(
  (index) => {
    const rejectedAt = (place: number) => someAddress(0x40 + place);
    const stateAt = (place: number) => someAddress(0x80 + place);
    const wordy = someAddress(0x90);

    beforeAll(async () => {
      for (const [place, [, wrong]] of rejected.entries())
        await index.place(rejectedAt(place), { code: telemintCode({ ...good, ...wrong }) });
      for (const [place, [, state]] of withoutState.entries())
        await index.place(stateAt(place), { code: telemintCode({ ...good, state }) });
      const anycast = "beginCell().storeUint(0b101, 3).storeUint(8, 5).storeUint(0xab, 8).storeInt(0, 8)";
      const config = `(slice, int, int, int, int, int) {
      return (${anycast}.storeUint(1, 256).storeUint(7, 3).toSlice(), -1, 1 << 200, 0, 0, 0); }`;
      const name = `slice {
      return beginCell().storeUint(0xc3, 8).storeRef(beginCell().storeUint(0xa40061, 24).endCell()).toSlice(); }`;
      await index.place(wordy, { code: telemintCode({ ...good, name, config }) });
      await index.catchUp();
    });

    const rows = () => selectRows(index.database.sql(), tables.telemintItems, "t", SQL`telemint_items t`);
    const rowAt = async (address: { toRaw(): string }) =>
      (await rows()).find((row) => addressFromBytes(row.address).toRaw() === address.toRaw());

    describe("an item of Telegram", () => {
      it.each(rejected.map(([what], place) => [what, place] as const))(
        "is not recognised if %s",
        async (_, place) => {
          expect(await rowAt(rejectedAt(place))).toBe(undefined);
        },
      );

      it.each(withoutState.map(([what], place) => [what, place] as const))(
        "has no bid if its state is not as it must be: %s",
        async (_, place) => {
          expect(await rowAt(stateAt(place))).toMatchObject({
            bidder_address: undefined,
            bid: 0n,
            bid_ts: 0n,
            min_bid: 0n,
            end_time: 0n,
            has_auction: true,
          });
        },
      );

      it("may have a name in several cells, an address with a prefix, and amounts of any size", async () => {
        expect(await rowAt(wordy)).toMatchObject({
          // PostgreSQL has no texts with the character 0.
          token_name: "äa",
          beneficiary_address: Buffer.from(`00ab${"00".repeat(30)}01`, "hex"),
          initial_min_bid: -1n,
          max_bid: 1n << 200n,
        });
        expect(addressToBytes(beneficiary)).toHaveLength(33);
      });
    });
  },
  { kinds: [anyKind] },
);
