import { beforeAll, describe, expect, it } from "vitest";
import { onchainContent } from "../../server/devnet/story/contracts/token-content.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { varUint } from "../../shared/ton/tlb/primitives.js";
import { StateInit, stateInitOf } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";
import { ton } from "../helpers/chain/devnet.js";
import { compile } from "../helpers/contracts/tolk.js";
import { describeContracts } from "../helpers/index/describe-contracts.js";
import { idOf, someAddress } from "../helpers/index/detection.js";
import { anyKind } from "../helpers/store/databases.js";

/** A jetton without wallets, with its content in its data. */
const master = `
  get fun get_jetton_data(): (int, bool, address?, cell, cell) {
    return (30, true, null, contract.getData().beginParse().preloadRef(), createEmptyCell());
  }`;
const content = onchainContent({ symbol: "SHARE" });

/** Its multiplier is its data; each change of it sends the log, as the first message does (TEP-526). */
const scaled = `
  struct (0x00000001) SetMultiplier { numerator: varuint32 denominator: varuint32 }
  struct (0xac392598) DisplayMultiplierChanged { numerator: varuint32 denominator: varuint32 comment: cell? }
  ${master}
  get fun get_display_multiplier(): (int, int) {
    var data = contract.getData().beginParse();
    return (data.loadUint(256), data.loadUint(256));
  }
  fun onInternalMessage(in: InMessage) {
    var body = in.body;
    if (body.isEmpty()) { return; }
    val set = SetMultiplier.fromSlice(body);
    val content = contract.getData().beginParse().preloadRef();
    contract.setData(
      beginCell().storeUint(set.numerator, 256).storeUint(set.denominator, 256).storeRef(content).endCell(),
    );
    createExternalLogMessage({
      dest: createAddressNone(),
      body: DisplayMultiplierChanged { numerator: set.numerator, denominator: set.denominator, comment: null },
    }).send(SEND_MODE_REGULAR);
  }
`;

const most = 2n ** 256n - 1n;
/** Answers of a get-method, and the multiplier that follows. */
const answers: [name: string, method: string, multiplier?: [bigint, bigint]][] = [
  ["the largest numbers", `(int, int) { return (${most}, ${most}); }`, [most, most]],
  ["more values than two", "(int, int, int) { return (3, 2, 1); }", [3n, 2n]],
  ["0 as its numerator", "(int, int) { return (0, 1); }"],
  ["0 as its denominator", "(int, int) { return (1, 0); }"],
  ["a negative number", "(int, int) { return (-1, -1); }"],
  ["one value", "int { return 1; }"],
  ["a cell", "(cell, int) { return (createEmptyCell(), 1); }"],
  ["an error", "(int, int) { throw 77; }"],
  ["nothing until its gas is spent", "(int, int) { while (true) { } return (1, 1); }"],
];
const addressOf = (name: string) => someAddress(1 + answers.findIndex(([each]) => each === name));

const pair = (numerator: bigint, denominator: bigint) =>
  beginCell().storeUint(numerator, 256).storeUint(denominator, 256);
const setBody = (numerator: bigint, denominator: bigint) => {
  const body = beginCell().storeUint(1, 32);
  for (const factor of [numerator, denominator]) varUint(5).store(factor, body);
  return body.endCell();
};

describeContracts(
  (index) => {
    const infoOf = async (address: Address) => {
      const raw = address.toRawUpper();
      const metadata = await index.ask("metadata", `address=${raw}`);
      return metadata[raw]?.token_info[0];
    };
    const multiplierOf = async (address: Address) => (await infoOf(address))?.extra?.scaled_ui;

    describe("The multiplier of a jetton", () => {
      const from = idOf(someAddress(200));
      let deployed: Address;
      let init: Cell;
      beforeAll(async () => {
        const code = await compile(scaled);
        init = encode(StateInit, stateInitOf(code, pair(1n, 1n).storeRef(content).endCell()));
        deployed = new Address(0, init.hash());
        for (const [name, method] of answers) {
          const code = `${master} get fun get_display_multiplier(): ${method}`;
          await index.place(addressOf(name), { code, data: beginCell().storeRef(content).endCell() });
        }
        await index.catchUp();
      });

      const send = (body: Cell, stateInit?: Cell) =>
        index.devnet.controls.impersonate({
          from,
          to: idOf(deployed),
          value: ton,
          body: serializeBoc(body),
          ...(stateInit && { stateInit: serializeBoc(stateInit) }),
        });

      it("is that of its last log, in a batch and after blocks were taken back", async () => {
        await send(setBody(1n, 1n), init);
        await index.devnet.controls.mine(1);
        await index.catchUp();
        expect(await multiplierOf(deployed)).toEqual({ numerator: "1", denominator: "1" });

        const { id } = await index.devnet.controls.snapshot();
        await send(setBody(20n, 1n));
        await send(setBody(10n, 3n));
        await index.devnet.controls.mine(1);
        await index.catchUp();
        expect(await multiplierOf(deployed)).toEqual({ numerator: "10", denominator: "3" });
        const { messages } = await index.ask(
          "messages",
          `source=${deployed.toRawUpper()}&destination=null&sort=asc`,
        );
        const logs = messages.map(({ message_content }) => message_content?.decoded);
        expect(logs).toMatchObject(
          [
            ["1", "1"],
            ["20", "1"],
            ["10", "3"],
          ].map(([numerator, denominator]) => ({
            "@type": "scaled_ui_display_multiplier_changed",
            numerator,
            denominator,
          })),
        );

        await index.devnet.controls.revert(id);
        await index.devnet.controls.mine(9);
        await index.catchUp();
        expect(await multiplierOf(deployed)).toEqual({ numerator: "1", denominator: "1" });
      });

      it("leaves amounts as they are on the chain", async () => {
        const { jetton_masters: masters } = await index.ask("jetton/masters", "limit=100");
        expect(masters.length).toBeGreaterThan(answers.length);
        expect(new Set(masters.map(({ total_supply }) => total_supply))).toEqual(new Set(["30"]));
      });

      it.each(answers)(
        "of a contract that returns %s is followed or ignored",
        async (name, _, multiplier) => {
          const [numerator, denominator] = multiplier ?? [];
          expect(await infoOf(addressOf(name))).toEqual({
            valid: true,
            type: "jetton_masters",
            symbol: "SHARE",
            is_nsfw: false,
            is_scam: false,
            extra: multiplier
              ? { scaled_ui: { numerator: String(numerator), denominator: String(denominator) } }
              : {},
          });
        },
      );
    });
  },
  { kinds: [anyKind] },
);
