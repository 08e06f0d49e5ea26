import { MadeTypes } from "./made-abi.js";

const increaseOpcode = 0x7e8764ef;

/**
 * A contract that takes a request from outside, sends a message with it to another one, and logs what it has received
 * itself.
 */
export const relaySource = `
  fun acceptExternalMessage(): void
    asm "ACCEPT";
  struct (0x00000011) Ask { by: uint32; to: address }
  struct (0x7e8764ef) Increase { by: uint32; owner: address; isLast: bool; note: cell }
  struct (0x00000012) Increased { total: uint32 }
  fun onInternalMessage(in: InMessage) {
    val received = Increase.fromSlice(in.body);
    if (received.by > 1000) { throw 1234; }
    createExternalLogMessage({ dest: createAddressNone(), body: Increased { total: received.by } })
      .send(SEND_MODE_REGULAR);
  }
  fun onExternalMessage(body: slice) {
    acceptExternalMessage();
    val request = Ask.fromSlice(body);
    createMessage({
      bounce: true,
      value: 200000000,
      dest: request.to,
      body: Increase { by: request.by, owner: contract.getAddress(), isLast: true, note: createEmptyCell() },
    }).send(SEND_MODE_PAY_FEES_SEPARATELY);
  }
`;

/** Its ABI, as Tolk's compiler writes it. */
export function relayAbi({ tooLarge = "ERR_TOO_LARGE" } = {}): Record<string, unknown> {
  const types = new MadeTypes();
  const plain = (kind: string) => types.type({ kind });
  const uint32 = types.type({ kind: "uintN", n: 32 });
  const ask = types.struct("Ask", { by: uint32, to: plain("address") }, { num: 0x11, len: 32 });
  const fields = { by: uint32, owner: plain("address"), isLast: plain("bool"), note: plain("cell") };
  const increase = types.struct("Increase", fields, { num: increaseOpcode, len: 32 });
  const increased = types.struct("Increased", { total: uint32 }, { num: 0x12, len: 32 });
  return types.abi({
    contract_name: "Relay",
    incoming_messages: [{ body_ty_idx: increase }],
    incoming_external: [{ body_ty_idx: ask }],
    outgoing_messages: [{ body_ty_idx: increase }],
    emitted_events: [{ body_ty_idx: increased }],
    thrown_errors: [
      { kind: "constant", name: tooLarge, err_code: 1234, description: "More than 1000 at once" },
    ],
  });
}
