import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import type { Builder } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf, jettonTransfer, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith } from "../../../helpers/made-cells.js";

const [alice, app, endpoint, channel, connection, uln, dvn, proxy, usd] = accounts(
  "alice, application, endpoint, channel, connection, uln, dvn, proxy, usd",
);
const known = walletsOf([alice, app], [usd]);

/** An object: its name, the types of its members, and ones for the rest of 15 members. */
function object(name: string, members: bigint, count: number): Builder {
  const unused = 18 * (15 - count);
  return fieldsWith(
    [BigInt(`0x${Buffer.from(name).toString("hex")}`), 80],
    [members, 18 * count],
    [2n ** BigInt(unused) - 1n, unused],
  );
}
const holding = (...objects: readonly Cell[]): Cell =>
  objects.reduce((holder, each) => holder.storeRef(each), fieldsWith([7, 9])).endCell();

const hashOf = (address: string) => BigInt(`0x${address.slice(2)}`);
const pathMembers = 1501022839436485724795n;
const pathTo = (application: string, members = pathMembers) =>
  cellWith(object("path", members, 4), [30101, 32], [0xabcn, 256], [30343, 32], [hashOf(application), 256]);
const text = cellWith([0x01020, 20]);
const packetTo = (application: string, { path = pathTo(application), message = text } = {}) =>
  cellWith(object("Packet", 2730056479709093299835n, 4), [5n, 64], [0xdefn, 256], path, message);
const packet = {
  src_oapp: "0xabc",
  dst_oapp: `0x${hashOf(app).toString(16)}`,
  src_eid: 30101,
  dst_eid: 30343,
  nonce: 5n,
  guid: "0xdef",
  message: "0x010200",
};
const wrongPath = { path: pathTo(app, 1n) };
const library = { message: fieldsWith([2, 8], [0, 256]).endExotic() };

const message = (
  to: string,
  opcode: number,
  sends: readonly MadeMessage[] = [],
  md: Cell = Cell.empty,
): MadeMessage => ({ to, body: bodyOf(opcode, 0n, md), sends });
const event = message(account("events"), 0xe33b9873);
const refund: MadeMessage = { to: alice };
const from = (...sends: readonly MadeMessage[]): MadeMessage => ({ to: alice, sends });
const wholes = (actions: readonly Action[]) =>
  actions.filter(
    ({ parent_action_id, type }) => parent_action_id === undefined && type.startsWith("layerzero_"),
  );
const ofWhole = (root: MadeMessage) => wholes(actionsOf(root, known));

describe("A packet that is sent with LayerZero", () => {
  const fees = cellWith([1n, 256], [70n, 128], [3n, 128]);
  const sendMembers = 582890735024998957421269964955452773563747974476099581n;
  const sendOf = (sent: Cell, members = sendMembers) =>
    cellWith(object("lzSend", members, 10), [9n, 64], [0x12n, 256], [0x34n, 256], sent, Cell.empty, fees);
  const answers = (send: Cell) => message(app, 0xa2b5fbae, [event, refund], holding(holding(send)));

  /** The calls of an application, which all lead to the answers of its channel. */
  const sends = (...leadsTo: readonly MadeMessage[]): MadeMessage =>
    [
      message(endpoint, 0xdd4ea3b4),
      message(channel, 0x536feb09),
      message(connection, 0x4002b790),
      message(uln, 0x5de68393),
      message(channel, 0x421c1a25, leadsTo),
    ].reduceRight((next, call) => ({ ...call, sends: [next] }));
  const answer = answers(sendOf(packetTo(app)));
  const details = {
    layerzero_send_data: {
      send_request_id: 9n,
      msglib_manager: "0x12",
      msglib: "0x34",
      uln,
      native_fee: 70n,
      zro_fee: 3n,
      endpoint,
      channel,
    },
    layerzero_packet_data: packet,
  };
  const send = { type: "layerzero_send", success: true, source: alice, ...details };

  it("is the calls up to the answer, with the paid fees", () => {
    expect(ofWhole(from(sends(event, answer)))).toMatchObject([{ ...send, tx_hashes: { length: 10 } }]);
    const paid = [refund, refund, refund, refund, refund];
    expect(ofWhole(from(sends(...paid, event, answer)))).toMatchObject([
      { ...send, tx_hashes: { length: 15 } },
    ]);
  });

  it("counts as sent although a call failed, as at the reference", () => {
    expect(ofWhole(from({ ...sends(event, answer), isAborted: true }))).toMatchObject([send]);
  });

  it("is none without its event or its answer", () => {
    expect(ofWhole(from(sends(answer)))).toEqual([]);
    expect(ofWhole(from(sends(event)))).toEqual([]);
  });

  it("is none if one of the objects is of another kind or cannot be read", () => {
    const answered = (send: Cell) => ofWhole(from(sends(event, answers(send))));
    expect(answered(sendOf(packetTo(app), 1n))).toEqual([]);
    expect(answered(sendOf(packetTo(app, wrongPath)))).toEqual([]);
    expect(answered(sendOf(packetTo(app, library)))).toEqual([]);
    expect(answered(sendOf(Cell.empty))).toEqual([]);
    expect(answered(Cell.empty)).toEqual([]);
  });

  describe("with jettons", () => {
    const pays = (...leadsTo: readonly MadeMessage[]) =>
      from(jettonTransfer({ from: alice, to: app, master: usd, amount: 50n, leadsTo }));

    it("is only the packet without the event of the application or known wallets", () => {
      const told = pays(event, sends(event, answer));
      expect(ofWhole(told)).toMatchObject([{ ...details, type: "layerzero_send_tokens" }]);
      expect(ofWhole(pays(sends(event, answer)))).toMatchObject([{ type: "layerzero_send", source: app }]);
      const unknown = wholes(actionsOf(told, {}));
      expect(unknown).toMatchObject([{ type: "layerzero_send", source: app }]);
    });
  });
});

describe("A packet that is received with LayerZero", () => {
  const executes = (packet: Cell, sends: readonly MadeMessage[]) =>
    message(app, 0x0c7b8418, sends, holding(packet));
  const receives = (executed: MadeMessage, ...others: readonly MadeMessage[]) =>
    from(
      message(channel, 0x22f3ac09, [
        ...others,
        message(app, 0x97df404c, [message(channel, 0xb7680bc6, [executed])]),
      ]),
    );
  const executed = message(channel, 0xcaae25a1, [event, refund]);
  const receipt = {
    type: "layerzero_receive",
    success: true,
    source: alice,
    destination: app,
    destination_secondary: channel,
    layerzero_packet_data: packet,
  };

  it("is the calls up to the application's answer", () => {
    expect(ofWhole(receives(executes(packetTo(app), [executed])))).toMatchObject([
      { ...receipt, tx_hashes: { length: 8 } },
    ]);
    expect(ofWhole(receives(executes(packetTo(app), [event, executed]), refund))).toMatchObject([
      { ...receipt, tx_hashes: { length: 10 } },
    ]);
  });

  it("is none for another application, without an answer or if the packet cannot be read", () => {
    expect(ofWhole(receives(executes(packetTo(channel), [executed])))).toEqual([]);
    expect(ofWhole(receives(executes(packetTo(app), [])))).toEqual([]);
    expect(ofWhole(receives(executes(packetTo(app, wrongPath), [executed])))).toEqual([]);
    expect(ofWhole(receives(executes(Cell.empty, [executed])))).toEqual([]);
  });
});

describe("A packet that is committed with LayerZero", () => {
  const commits = (packet: Cell, sends: readonly MadeMessage[]) =>
    from(
      [
        message(uln, 0x28b97077),
        message(connection, 0xf9d37b80),
        message(endpoint, 0x5dab749a),
        message(channel, 0x5388cd88, sends, holding(packet)),
      ].reduceRight((next, call) => ({ ...call, sends: [next] })),
    );
  const committed = message(account("library connection"), 0x5e178f33, [refund]);

  it("is none without that answer or if the packet cannot be read", () => {
    const whole = { type: "layerzero_commit_packet", layerzero_packet_data: packet };
    expect(ofWhole(commits(packetTo(app), [event, committed]))).toMatchObject([whole]);
    expect(ofWhole(commits(packetTo(app), [event]))).toEqual([]);
    expect(ofWhole(commits(Cell.empty, [event, committed]))).toEqual([]);
  });
});

describe("A packet that is attested with LayerZero", () => {
  const verificationOf = (status: number, members = 26137675387n) =>
    cellWith(object("veristatus", members, 2), [5n, 64], [status, 32]);
  const attests = (...sends: readonly MadeMessage[]) =>
    from(
      [
        message(dvn, 0xa0d51a8d),
        message(proxy, 0x09f047d9),
        message(uln, 0x994aaf4e),
        message(connection, 0x4ec8f80a, sends),
      ].reduceRight((next, call) => ({ ...call, sends: [next] })),
    );
  const answer = (verification: Cell) => message(proxy, 0x3cb38090, [refund], holding(verification));

  it.each([
    [0x3bbc306b, "succeeded"],
    [0x7fcbb4ac, "nonce_out_of_range"],
    [0x29c53fab, "dvn_not_configured"],
    [7, "unknown_7"],
  ])("is the calls up to the answer of the connection, %i", (code, status) => {
    expect(ofWhole(attests(event, answer(verificationOf(code))))).toMatchObject([
      {
        type: "layerzero_dvn_verify",
        success: true,
        source: alice,
        layerzero_dvn_verify_data: { nonce: 5n, status, dvn, proxy, uln, uln_connection: connection },
        tx_hashes: { length: 8 },
      },
    ]);
  });

  it("is none without that answer or if it cannot be read", () => {
    expect(ofWhole(attests(event))).toEqual([]);
    expect(ofWhole(attests(event, answer(verificationOf(7, 1n))))).toEqual([]);
    expect(ofWhole(attests(event, answer(Cell.empty)))).toEqual([]);
  });
});
