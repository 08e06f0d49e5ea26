import type { Call, Handlers } from "../../../shared/methods/define.js";
import { devnetMethods } from "../../../shared/methods/devnet.js";
import type { MessageStatus } from "../../../shared/schema/v3/message-status.js";
import { accountIdOf, addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { Address } from "../../../shared/values/address.js";
import type { DevnetControls, Receipt } from "../../devnet/control/controls.js";
import { presentReceipt } from "./receipt.js";
import type { Begin, Settling } from "./settlement.js";

export type InternalMessageDeps = {
  controls: Pick<DevnetControls, "impersonate" | "relay">;
  begin: Begin;
  /** The status of a message to an account. */
  statusOf(message: { hash: Uint8Array; to: Address }, call: Call): Promise<MessageStatus>;
};

/** Sends of internal messages. */
export const internalMessageHandlers: Pick<
  Handlers<typeof devnetMethods, InternalMessageDeps>,
  "impersonate" | "relay"
> = {
  async impersonate({ from, to, status, ...message }, { controls, begin, statusOf }, call) {
    const settling = begin();
    const { value, bounce } = message;
    const sent = { from: accountIdOf(from), to: accountIdOf(to), value, bounce, ...contentOf(message) };
    const receipt = await controls.impersonate(sent, settling.leftMs);
    return presentReceived(receipt, settling, status && ((of) => statusOf(of, call)));
  },

  async relay({ boc, address, status, ...request }, { controls, begin, statusOf }, call) {
    const settling = begin(devnetMethods.relay);
    const { value } = request;
    // Without a message there is an address, as the parameters were checked.
    const relayed = boc
      ? { message: boc, value }
      : { to: accountIdOf(address!), value, ...contentOf(request) };
    const receipt = await controls.relay(relayed, settling.leftMs);
    return presentReceived(receipt, settling, status && ((of) => statusOf(of, call)));
  },
};

type Content = { body?: Uint8Array | undefined; state_init?: Uint8Array | undefined };

function contentOf({ body, state_init: stateInit }: Content) {
  return { ...(body && { body }), ...(stateInit && { stateInit }) };
}

type ReadStatus = (message: { hash: Uint8Array; to: Address }) => Promise<MessageStatus>;

async function presentReceived(receipt: Receipt, settling: Settling, readStatus: ReadStatus | false) {
  const { end, messageHash: hash, account } = receipt;
  const presented = presentReceipt(receipt, await settling.after(end));
  if (!readStatus) return presented;
  const to = addressOfId(account);
  return { ...presented, status: await readStatus({ hash, to }) };
}
