import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import {
  changeKey,
  keyChanged,
  newKey,
  oldKey,
  proof,
  tgChangeKey,
  tgRequest,
  tgWallet,
} from "../../../helpers/index/made-requests.js";
import { account, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { cellWith, fieldsWith } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const relayer = account("relayer");
const { internal, external } = changeKey;
const known = { [tgWallet]: { isTgWallet: true } };

const received = (body: Cell, rest: Partial<MadeMessage> = {}): MadeMessage => ({
  to: tgWallet,
  value: 100n,
  body,
  sends: [keyChanged()],
  ...rest,
});
const fromOutside = (body = tgChangeKey(external), rest: Partial<MadeMessage> = {}) =>
  actionsOf(received(body, rest), known);
const relayed = (body = tgChangeKey(internal), rest: Partial<MadeMessage> = {}) =>
  actionsOf({ to: relayer, sends: [received(body, rest)] }, known);
const changes = (actions: readonly Action[]) => rowsOfType("change_wallet_key", actions);
const types = (actions: readonly Action[]) => actions.map(({ type }) => type).sort();

const row = {
  type: "change_wallet_key",
  success: true,
  source: undefined,
  destination: tgWallet,
  value: undefined,
  extra: {
    new_public_key: bytesToHex(newKey),
    rotation_signature: bytesToHex(proof),
    encrypted_old_private_key: bytesToHex(oldKey),
  },
};

describe("A change of the key of Telegram's wallet", () => {
  it("has the keys of its request and its log, whose opcode is either", () => {
    expect(changes(fromOutside())).toEqual([row]);
    expect(changes(fromOutside(undefined, { sends: [keyChanged(0x5d1cd02f)] }))).toEqual([row]);
  });

  it("is the only action of a request from outside, and takes the log", () => {
    const actions = fromOutside();
    expect(types(actions)).toEqual(["change_wallet_key"]);
    expect(actions[0]).toMatchObject({ accounts: [tgWallet], start_lt: 1001n, end_lt: 1001n });
  });

  it("has its gasless request beside it, and points to it", () => {
    const actions = relayed();
    expect(changes(actions)).toEqual([{ ...row, source: relayer, value: 100n }]);
    expect(types(actions)).toEqual(["change_wallet_key", "gasless_request"]);
    const [change, request] = [...actions].sort((a, b) => (a.type < b.type ? -1 : 1));
    expect(change!.parent_gasless_action).toBe(request!.action_id);
    expect(request!.parent_gasless_action).toBeUndefined();
  });

  it("is a call if it is refused, ignored, or does not log the key", () => {
    const asCall = ["call_contract", "gasless_request"];
    expect(types(relayed(undefined, { isAborted: true, exitCode: 149, sends: [] }))).toEqual(asCall);
    expect(types(relayed(undefined, { isAborted: true }))).toEqual(asCall);
    expect(types(relayed(undefined, { sends: [] }))).toEqual(asCall);
    expect(types(relayed(undefined, { sends: [keyChanged(0xeba19949)] }))).toEqual(asCall);
    const longer = { to: undefined, body: cellWith([0xeba19948, 32], oldKey, true) };
    expect(types(relayed(undefined, { sends: [longer] }))).toEqual(asCall);
    expect(types(relayed(undefined, { sends: [{ ...keyChanged(), to: relayer }] }))).not.toContain(
      "change_wallet_key",
    );
    expect(types(fromOutside(undefined, { isAborted: true, sends: [] }))).toEqual(["unknown"]);
  });

  it("is none on the other way, at another contract, or with a request that cannot be read", () => {
    expect(changes(fromOutside(tgChangeKey(internal)))).toEqual([]);
    expect(changes(relayed(tgChangeKey(external)))).toEqual([]);
    expect(changes(actionsOf(received(tgChangeKey(external)), {}))).toEqual([]);
    expect(changes(actionsOf(received(tgChangeKey(external)), { [tgWallet]: {} }))).toEqual([]);
    expect(changes(fromOutside(tgRequest(external, fieldsWith(newKey))))).toEqual([]);
  });
});
