import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, accounts, addressOf, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith } from "../../../helpers/made-cells.js";

const [alice, teleport, coordinator, verifier, pegout, tgbtc] = accounts(
  "alice, teleport, coordinator, verifier, pegout, tgbtc",
);
const wallet = walletOf(alice, tgbtc);
const known = walletsOf([alice], [tgbtc]);

const message = (to: string, opcode: number, sends: readonly MadeMessage[] = []): MadeMessage => ({
  to,
  body: bodyOf(opcode),
  sends,
});
const from = (...sends: readonly MadeMessage[]): MadeMessage => ({ to: alice, sends });
const event = (body: Cell): MadeMessage => ({ to: undefined, body });
const typesOf = (actions: readonly Action[]) => actions.map(({ type }) => type);
const wholes = (actions: readonly Action[]) =>
  actions.filter(({ parent_action_id, type }) => parent_action_id === undefined && type.startsWith("tgbtc_"));

const pegoutCreated = message(pegout, 0xbe44e7a6, [message(teleport, 0x1a84c0e0), { to: alice }]);

describe("A mint of tgBTC", () => {
  const txid = `01${"00".repeat(30)}ff`;
  const told = event(cellWith([0x77a80ef3, 32], 50n, alice, [BigInt(`0xff${"00".repeat(30)}01`), 256]));
  const received = bodyOf(0x178d4519, 49n, teleport, teleport, 0n, false);
  const mint = bodyOf(0x642b7d07, alice, 1n, received);
  const minted: MadeMessage = { to: tgbtc, body: mint, sends: [{ to: wallet, body: received }] };
  const verified = message(teleport, 0xe42a879b, [told, minted]);

  /** A request, and this number of messages until it is verified. */
  function requested(steps: number): MadeMessage {
    let next = verified;
    for (let i = 0; i < steps; i++) next = message(verifier, 0xeffe02da, [next]);
    return message(teleport, 0x3f781d24, [next]);
  }

  const fallback = {
    type: "tgbtc_mint_fallback",
    success: true,
    source: teleport,
    destination: alice,
    amount: 50n,
    extra: { btc_txid: txid },
  };

  it.each([0, 3, 19])("is the request, %i messages and the minted amount", (steps) => {
    const actions = actionsOf(from(requested(steps)), known);
    expect(wholes(actions)).toMatchObject([
      {
        type: "tgbtc_mint",
        success: true,
        source: alice,
        source_secondary: teleport,
        destination: alice,
        destination_secondary: wallet,
        asset: tgbtc,
        amount: 50n,
        extra: { btc_txid: txid },
        tx_hashes: { length: 5 + steps },
      },
    ]);
    expect(typesOf(actions)).toContain("jetton_mint");
  });

  it("shows contracts that were deployed on the way by themselves", () => {
    const lookUp = { ...verified, to: account("look-up") };
    const deployed = message(verifier, 0x642a879b, [lookUp]);
    const request = message(teleport, 0x3f781d24, [{ ...deployed, status: ["nonexist", "active"] }]);
    const deployments = actionsOf(from(request), known).filter(({ type }) => type === "contract_deploy");
    expect(deployments).toMatchObject([{ destination: verifier, parent_action_id: undefined }]);
  });

  it("is only its event without a request, or if it is further away than is looked", () => {
    expect(wholes(actionsOf(from(verified), known))).toMatchObject([fallback]);
    expect(wholes(actionsOf(from(requested(20)), known))).toMatchObject([fallback]);
  });

  it("is only its event if nothing was minted, or if it is unknown for whom", () => {
    const request = message(teleport, 0x3f781d24, [message(teleport, 0xe42a879b, [told])]);
    expect(wholes(actionsOf(from(request), known))).toMatchObject([fallback]);
    expect(wholes(actionsOf(from(requested(0)), {}))).toMatchObject([fallback]);
  });

  it("is none if the event cannot be read", () => {
    const unread = event(cellWith([0x77a80ef3, 32]));
    const request = message(teleport, 0x3f781d24, [message(teleport, 0xe42a879b, [unread, minted])]);
    expect(wholes(actionsOf(from(request), known))).toEqual([]);
  });
});

describe("A burn of tgBTC", () => {
  const eventOf = (amount: bigint, ...told: readonly string[]) => {
    const body = fieldsWith([0xca444ce6, 32], amount);
    for (const address of told) body.storeAddress(addressOf(address));
    return event(body.endCell());
  };
  const told = eventOf(40n, alice, pegout);
  const burns = (amount: bigint, ...sends: readonly MadeMessage[]): MadeMessage => ({
    to: wallet,
    body: bodyOf(0x595f07bc, amount),
    sends: [message(tgbtc, 0x7bdd97de, sends)],
  });
  const burn = {
    type: "tgbtc_burn",
    success: true,
    source: alice,
    source_secondary: wallet,
    destination: pegout,
    asset: tgbtc,
    amount: 40n,
  };

  it.each([0x7bdd97de, 0x587643a2])("is the jetton's burn and the coordinator's messages by %i", (opcode) => {
    const actions = actionsOf(from(burns(50n, message(coordinator, opcode, [told, pegoutCreated]))), known);
    expect(wholes(actions)).toMatchObject([{ ...burn, tx_hashes: { length: 7 } }]);
    expect(typesOf(actions)).toContain("jetton_burn");
  });

  it("has the smaller amount, that of the event if the burn has none", () => {
    const burned = (amount: bigint) =>
      wholes(actionsOf(from(burns(amount, message(coordinator, 0x7bdd97de, [told]))), known));
    expect(burned(30n)).toMatchObject([{ ...burn, amount: 30n }]);
    expect(burned(0n)).toMatchObject([burn]);
  });

  it("has no pegout contract if the event has no readable one", () => {
    const burned = (told: MadeMessage) =>
      wholes(actionsOf(from(burns(50n, message(coordinator, 0x7bdd97de, [told]))), known));
    expect(burned(eventOf(40n, alice))).toMatchObject([{ ...burn, destination: undefined }]);
    expect(burned(eventOf(40n))).toMatchObject([{ ...burn, destination: undefined }]);
  });

  it("is only its event without a burn of known wallets", () => {
    const fallback = { type: "tgbtc_burn_fallback", source: alice, destination: pegout, amount: 40n };
    const notified = message(coordinator, 0x587643a2, [told]);
    expect(wholes(actionsOf(from(notified), known))).toMatchObject([fallback]);
    expect(wholes(actionsOf(from(burns(50n, notified)), {}))).toMatchObject([fallback]);
    const untold = message(coordinator, 0x587643a2, [eventOf(40n)]);
    expect(wholes(actionsOf(from(untold), known))).toMatchObject([
      { ...fallback, source: undefined, destination: undefined },
    ]);
    expect(wholes(actionsOf(from(message(coordinator, 0x587643a2)), known))).toEqual([]);
  });

  it("is none if the event has no amount", () => {
    const unread = event(cellWith([0xca444ce6, 32]));
    const burned = burns(50n, message(coordinator, 0x7bdd97de, [unread]));
    expect(wholes(actionsOf(from(burned), known))).toEqual([]);
  });
});

describe("A new key of tgBTC", () => {
  const generated = event(cellWith([0x453443a6, 32], [1700, 64], [0xabcn, 256]));
  const moved = event(cellWith([0x27756729, 32], 70n, [0xdefn, 256], pegout));
  const tells = (...sends: readonly MadeMessage[]) => message(coordinator, 0x690f357a, sends);
  const root = (...sends: readonly MadeMessage[]): MadeMessage => ({ to: teleport, sends });
  const key = {
    type: "tgbtc_new_key",
    success: true,
    source: teleport,
    destination: coordinator,
    destination_secondary: pegout,
    amount: 70n,
    value: 1700n,
    extra: { pubkey: "def" },
  };
  const moveAlone = {
    type: "tgbtc_new_key_fallback",
    destination: coordinator,
    destination_secondary: pegout,
    amount: 70n,
    extra: { pubkey: "def" },
  };
  const generationAlone = {
    type: "tgbtc_dkg_log_fallback",
    source: teleport,
    value: 1700n,
    extra: { pubkey: "abc" },
  };

  it("is the key that was generated and the move of bitcoins to it", () => {
    const whole = wholes(actionsOf(root(tells(moved, pegoutCreated), generated), known));
    expect(whole).toMatchObject([{ ...key, tx_hashes: { length: 5 } }]);
    expect(wholes(actionsOf(root(tells(moved), generated), known))).toMatchObject([key]);
  });

  it("is only its events if one of them is missing or the move cannot be read", () => {
    expect(wholes(actionsOf(root(tells(moved)), known))).toMatchObject([moveAlone]);
    expect(wholes(actionsOf(root(tells(), generated), known))).toMatchObject([generationAlone]);
    const unread = event(cellWith([0x27756729, 32]));
    expect(wholes(actionsOf(root(tells(unread), generated), known))).toMatchObject([generationAlone]);
  });

  it("is nothing if its events cannot be read, or are messages", () => {
    const unread = event(cellWith([0x453443a6, 32]));
    expect(wholes(actionsOf(root(tells(), unread), known))).toEqual([]);
    expect(wholes(actionsOf(root({ ...generated, to: coordinator }), known))).toEqual([]);
  });
});
