import { expect, it } from "vitest";
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
