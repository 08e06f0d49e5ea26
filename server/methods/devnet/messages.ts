import type { Handlers } from "../../../shared/methods/define.js";
import type { messageMethods } from "../../../shared/methods/devnet-messages.js";
import { accountIdOf } from "../../../shared/ton/lite/account-id.js";
import { presentSent } from "../../../shared/ton/present/send.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { MessageControls, WaitingInfo } from "../../devnet/control/message-controls.js";
import { type ArtifactView, asSeen } from "../artifact-view.js";
import type { RejectionDeps } from "../v2/rejection.js";
import { parseAndSend } from "../v2/send.js";
import { addressText } from "./receipt.js";

export type MessageDeps = {
  messages: MessageControls;
  /** Sends a message and waits as other sends do. Returns whether everything waited for was reached. */
  send(boc: Uint8Array, ignoresSignatures: boolean): Promise<boolean>;
  rejection: RejectionDeps & ArtifactView;
};

export const messageHandlers: Handlers<typeof messageMethods, MessageDeps> = {
  async mempool({ address, limit, offset }, { messages }) {
    const account = address && accountIdOf(address);
    const { messages: waiting, total } = await messages.waiting({ account, limit, offset });
    return { messages: waiting.map(presentWaiting), total };
  },

  dropMessage: async ({ hash }, { messages }) => presentWaiting(await messages.drop(hash)),

  async sendBoc({ boc, ignore_chksig }, { send, rejection }, call) {
    let settled = false;
    const lite = {
      async sendMessage({ body }: { body: Uint8Array }) {
        settled = await send(body, ignore_chksig);
        return { status: 1 };
      },
    };
    const sent = await parseAndSend(boc, { ...asSeen(rejection)(call), lite }, call);
    const { hash, hash_norm } = presentSent(sent);
    return { hash, hash_norm, settled };
  },
};

function presentWaiting({ hash, hashNorm, to, acceptedMs, ignoresSignatures, boc }: WaitingInfo) {
  return {
    hash: bytesToBase64(hash),
    hash_norm: bytesToBase64(hashNorm),
    address: addressText(to),
    received_at: Math.floor(acceptedMs / 1000),
    ignore_chksig: ignoresSignatures,
    boc: bytesToBase64(boc),
  };
}
