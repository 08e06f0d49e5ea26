import { describe, expect, it } from "vitest";
import { isDeployment, operationName, operationNames } from "../../../shared/text/operations.js";

const body = (type?: string) => ({ decoded: type === undefined ? null : { "@type": type } });
const state = { hash: "", body: "" };

describe("the name of an operation", () => {
  it("is that of its opcode if the body fits, or the opcode is a hash", () => {
    const transfer = { opcode: "0x0f8a7ea5", decoded_opcode: "jetton_transfer" };
    expect(operationName({ ...transfer, message_content: body() })).toBe("jetton_transfer");
    expect(operationName(transfer)).toBe("jetton_transfer");
    const mint = { opcode: "0x00000015", decoded_opcode: "minter_jetton_mint", init_state: state };
    expect(operationName({ ...mint, message_content: body("minter_jetton_mint") })).toBe(
      "minter_jetton_mint",
    );
  });

  it("is unknown where several protocols share the opcode, however the body was read", () => {
    const shared = { opcode: "0x00000001", decoded_opcode: "evaa_supply_master,pyth_update_guardian_set" };
    expect(operationName({ ...shared, message_content: body("pyth_update_guardian_set") })).toBeUndefined();
    expect(operationNames(shared)).toEqual(["evaa_supply_master", "pyth_update_guardian_set"]);
    expect(operationNames({ decoded_opcode: null })).toEqual([]);
    expect(operationNames({ decoded_opcode: "" })).toEqual([]);
  });

  it("is unknown where a small number begins a body that fits no scheme", () => {
    const small = { opcode: "0x00000002", decoded_opcode: "evaa_withdraw_master", message_content: body() };
    expect(operationName(small)).toBeUndefined();
    expect(isDeployment(small)).toBe(false);
  });

  it("is that of the request behind the signature, for Telegram's wallet", () => {
    const request = { "@type": "tg_wallet_send_one_external", seqno: "0" };
    const content = { decoded: { "@type": "tg_wallet_signed", signature: "0F8A7EA5", request } };
    const first = { opcode: "0x0f8a7ea5", decoded_opcode: "jetton_transfer", init_state: state };
    expect(operationName({ ...first, message_content: content })).toBe("tg_wallet_send_one_external");
    expect(isDeployment({ ...first, message_content: content })).toBe(false);
    const strange = { decoded: { "@type": "tg_wallet_signed", request: null } };
    expect(operationNames({ ...first, message_content: strange })).toEqual(["jetton_transfer"]);
  });

  it("is not read from the data of a deployment", () => {
    const deployed = { opcode: "0x80024bca", decoded_opcode: "some_name", init_state: state };
    expect(operationName({ ...deployed, message_content: body() })).toBeUndefined();
    expect(isDeployment({ ...deployed, message_content: body() })).toBe(true);
    expect(isDeployment({ ...deployed, message_content: body("some_name") })).toBe(false);
    expect(isDeployment({ opcode: null, decoded_opcode: null, init_state: null })).toBe(false);
  });
});
