import { describe, expect, it } from "vitest";
import { transactionRow } from "../../../server/mcp/answers/transactions.js";

const received = (message: object) =>
  transactionRow({ hash: "h", account: "0:A", now: 0, in_msg: { hash: "m", source: "0:B", ...message } }, {})[
    "received"
  ];
const decoded = (type: string) => ({ decoded: { "@type": type } });

it("A transaction names the operation that it received if the name is sure", () => {
  const transfer = { opcode: "0x0f8a7ea5", decoded_opcode: "jetton_transfer" };
  expect(received({ ...transfer, message_content: decoded("jetton_transfer") })).toMatchObject({
    operation: "jetton_transfer",
  });
});

it("A transaction lists the operations of an opcode that several protocols share", () => {
  const shared = { opcode: "0x00000001", decoded_opcode: "evaa_supply_master,w4_deploy_install_plugin" };
  const row = received({ ...shared, message_content: decoded("evaa_supply_master") });
  expect(row).toMatchObject({
    opcode: "0x00000001",
    possible_operations: ["evaa_supply_master", "w4_deploy_install_plugin"],
  });
  expect(row).not.toHaveProperty("operation");
});

describe("By the ABI of its contract a transaction", () => {
  const abi = { contract: "Counter", trust: "own", by: "code", message: "Add", fields: { by: "5" } };

  it("names the operation that it received, unless the contract is a guess", () => {
    expect(received({ opcode: "0x00000010", abi })).toMatchObject({ operation: "Add", by_abi: abi });
    const guess = { ...abi, by: "opcode" };
    expect(received({ opcode: "0x00000010", abi: guess })).toMatchObject({ by_abi: guess });
    expect(received({ opcode: "0x00000010", abi: guess })).not.toHaveProperty("operation");
    expect(received({ opcode: "0x00000010", abi: null })).not.toHaveProperty("by_abi");
  });

  it("names the code that stopped it", () => {
    const named = { exit_name: "ERR_TOO_LARGE", exit_meaning: "More than 1000 at once.", exit_source: {} };
    const compute_ph = { success: false, exit_code: 1234, ...named };
    const row = transactionRow(
      { hash: "h", account: "0:A", now: 0, description: { aborted: true, compute_ph } },
      {},
    );
    expect(row).toMatchObject({ outcome: "failed", why: { phase: "compute", exit_code: 1234, ...named } });
  });
});
