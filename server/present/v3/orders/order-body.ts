import { JsonText } from "../../../../shared/methods/json-text.js";
import type { BodyFields, BodyName } from "../../../../shared/ton/bodies/declared.js";
import { anyPayloadIn, opcodeOf, payloadIn } from "../../../../shared/ton/bodies/payload.js";
import { bodyOfWithin, bodyStartWithin, readTypedWithin } from "../../../../shared/ton/bodies/read.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { payloadMembers } from "./order-payload.js";
import type { OrderWriter } from "./order-writer.js";

/** The type of a message body in an order, and its members with TON Center's names. */
export type OrderBody = {
  type: string;
  members: Readonly<Record<string, string | number | boolean | object | null>>;
};

/** The body of a message in an order. Throws BodyTooLarge. */
export function presentOrderBody(cell: Cell, writer: OrderWriter): OrderBody {
  const opcode = opcodeOf(cell);
  if (opcode === undefined) return tonTransfer("");
  const presented = presenters.get(opcode)?.(cell, writer);
  if (presented) return presented;
  // Opcode 0 without a text.
  if (opcode === 0) return tonTransfer("");
  return { type: "unknown", members: { opcode, data: writer.boc(cell) } };
}

/** Returns `undefined` for a body of another layout. */
type Presenter = (cell: Cell, writer: OrderWriter) => OrderBody | undefined;

type Present<N extends BodyName> = (fields: BodyFields<N>, writer: OrderWriter) => OrderBody | undefined;

/** Presents bodies of a layout. */
function whole<N extends BodyName>(name: N, present: Present<N>): Presenter {
  return (cell, writer) => {
    const fields = bodyOfWithin(writer.budget, name, cell);
    return fields && present(fields, writer);
  };
}

/** Presents bodies that begin with a layout; trailing data are ignored, as contracts ignore them. */
function beginning<N extends BodyName>(name: N, present: Present<N>): Presenter {
  return (cell, writer) => {
    const fields = bodyStartWithin(writer.budget, name, cell);
    return fields && present(fields, writer);
  };
}

const jettonTransfer = beginning("jetton_transfer_start", (fields, writer) => ({
  type: "jetton_transfer",
  members: {
    query_id: exact(fields.query_id),
    amount: String(fields.amount),
    destination: writer.address(fields.destination),
    response: writer.address(fields.response_destination),
    custom_payload: writer.boc(fields.custom_payload),
    forward_amount: String(fields.forward_ton_amount),
    ...payloadMembers(payloadIn(fields.rest), writer),
  },
}));

const jettonBurn = beginning("jetton_burn", ({ query_id, amount, response_destination }, writer) => ({
  type: "jetton_burn",
  members: {
    query_id: exact(query_id),
    amount: String(amount),
    response_destination: writer.address(response_destination),
  },
}));

const jettonMint = (name: "jetton_mint" | "minter_jetton_mint", opcode: number) =>
  beginning(name, (fields, writer) => {
    if (!("master_msg" in fields)) return undefined;
    const message = readTypedWithin(writer.budget, "MintedMessage", fields.master_msg);
    if (!message) return undefined;
    return {
      type: "jetton_mint",
      members: {
        opcode,
        query_id: exact(fields.query_id),
        to_address: writer.address(fields.to_address),
        ton_amount: String(fields.ton_amount),
        master_msg_query_id: exact(message.query_id),
        master_msg_jetton_amount: String(message.amount),
      },
    };
  });

const nftTransfer = beginning("nft_transfer_start", (fields, writer) => ({
  type: "nft_transfer",
  members: {
    query_id: exact(fields.query_id),
    new_owner: writer.address(fields.new_owner),
    response_destination: writer.address(fields.response_destination),
    custom_payload: writer.boc(fields.custom_payload),
    forward_amount: String(fields.forward_amount),
    forward_payload: writer.boc(anyPayloadIn(fields.rest)),
  },
}));

const jettonCallTo = beginning(
  "jetton_call_to_start",
  ({ query_id, to_address, ton_amount, action }, writer) => ({
    type: "jetton_call_to",
    members: {
      query_id: exact(query_id),
      to_address: writer.address(to_address),
      ton_amount: String(ton_amount),
      action_type: calledActions.get(opcodeOf(action)) ?? "Unknown",
      action_data: writer.boc(action),
    },
  }),
);

const calledActions: ReadonlyMap<number | undefined, string> = new Map([
  [0xeed236d3, "JettonSetStatus"],
  [0x0f8a7ea5, "JettonTransfer"],
  [0x595f07bc, "JettonBurn"],
]);

const vestingTransfer = beginning(
  "vesting_internal_transfer",
  ({ query_id, send_mode, message: { info, body } }, writer) => {
    const isInternal = info.$type === "int_msg_info";
    return {
      type: "vesting_internal_transfer",
      members: {
        query_id: exact(query_id),
        send_mode: Number(send_mode),
        destination: isInternal ? writer.address(info.dest) : null,
        value: isInternal ? String(info.value.grams) : null,
        message_body: isInternal ? writer.boc(body) : null,
        comment: (isInternal && bodyOfWithin(writer.budget, "text_comment", body)?.text) || "",
      },
    };
  },
);

/** By opcode. */
const presenters: ReadonlyMap<number, Presenter> = new Map([
  [0, whole("text_comment", ({ text }) => tonTransfer(text))],
  [
    0x2167da4b,
    whole("encrypted_text_comment", ({ cipher_text }) => tonTransfer(bytesToBase64(cipher_text), true)),
  ],
  [0x0f8a7ea5, jettonTransfer],
  [0x595f07bc, jettonBurn],
  [0x642b7d07, jettonMint("jetton_mint", 0x642b7d07)],
  [0x15, jettonMint("minter_jetton_mint", 0x15)],
  [0x5fcc3d14, nftTransfer],
  [
    0xd372158c,
    beginning("top_up", (fields) =>
      "query_id" in fields
        ? { type: "jetton_top_up", members: { query_id: exact(fields.query_id) } }
        : undefined,
    ),
  ],
  [
    0x6501f354,
    beginning("jetton_change_admin", ({ query_id, new_admin_address }, writer) => ({
      type: "jetton_change_admin",
      members: { query_id: exact(query_id), new_admin_address: writer.address(new_admin_address) },
    })),
  ],
  [
    0xfb88e119,
    beginning("jetton_claim_admin", ({ query_id }) => ({
      type: "jetton_claim_admin",
      members: { query_id: exact(query_id) },
    })),
  ],
  [
    0xcb862902,
    beginning("jetton_change_metadata", ({ query_id, metadata }) => ({
      type: "jetton_change_content",
      members: { query_id: exact(query_id), new_metadata_url: metadata },
    })),
  ],
  [0x235caf52, jettonCallTo],
  [
    0xeed236d3,
    // Reading only the first half of a longer status would give another status.
    whole("jetton_set_status", ({ query_id, status }) => ({
      type: "jetton_set_status",
      members: { query_id: exact(query_id), new_status: Number(status) },
    })),
  ],
  [
    0x1000,
    beginning("single_nominator_withdraw", ({ query_id, amount }) => ({
      type: "single_nominator_withdraw",
      members: { query_id: exact(query_id), coins: String(amount) },
    })),
  ],
  [
    0x1001,
    beginning("single_nominator_change_validator_address", ({ query_id, validator }, writer) => ({
      type: "single_nominator_change_validator",
      members: { query_id: exact(query_id), validator_address: writer.address(validator) },
    })),
  ],
  [0x75097f5d, vestingTransfer],
]);

function tonTransfer(comment: string, encrypted = false): OrderBody {
  return { type: "ton_transfer", members: { comment, encrypted } };
}

/** A JSON number with all its digits. */
function exact(value: bigint): JsonText<number> {
  return new JsonText(String(value));
}
