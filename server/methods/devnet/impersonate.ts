import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { devnetMethods } from "../../../shared/methods/devnet.js";
import type { MessageStatus } from "../../../shared/schema/v3/message-status.js";
import type { Address } from "../../../shared/values/address.js";
import type { DevnetControls } from "../../devnet/control/controls.js";
import { accountOf, presentReceipt } from "./receipt.js";
import type { Begin } from "./settlement.js";

export type ImpersonationDeps = {
  controls: Pick<DevnetControls, "impersonate">;
  begin: Begin;
  /** The status of a message to an account. */
  statusOf(message: { hash: Uint8Array; to: Address }, call: Call): Promise<MessageStatus>;
};

export const impersonate: Handlers<typeof devnetMethods, ImpersonationDeps>["impersonate"] = async (
  { from, to, value, body, state_init, bounce, status },
  { controls, begin, statusOf },
  call,
) => {
  const settling = begin();
  const message = {
    from: accountOf(from),
    to: accountOf(to),
    value,
    bounce,
    ...(body && { body }),
    ...(state_init && { stateInit: state_init }),
  };
  const { messageHash: hash, ...receipt } = await controls.impersonate(message, settling.leftMs);
  const presented = presentReceipt(receipt, await settling.after(receipt.end));
  return status ? { ...presented, status: await statusOf({ hash, to }, call) } : presented;
};
