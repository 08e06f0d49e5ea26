import { bodyOf, readTyped } from "../../../../shared/ton/bodies/read.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { tgWalletOpcodes } from "../../../../shared/values/tg-wallet.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, log } from "../pattern.js";
import { rowKind } from "../row-kind.js";

const { internal, external } = tgWalletOpcodes.changeKey;
/** The deployed code logs a change by the first opcode, the published sources by the second. */
const keyChanged = log(0xeba19948, 0x5d1cd02f);

const changeKind = rowKind("change_wallet_key", { isLeaf: true });

/** Telegram's wallet takes another key that signs. Without its log it has not: it ignores a wrong signature. */
export const changeWalletKey: Matcher = {
  name: "change of a wallet's key",
  pattern: call(internal, external)
    .where(
      "on the way that its opcode is for",
      ({ opcode, source }) => opcode === (source === undefined ? external : internal),
    )
    .where("that was not aborted", ({ node }) => !node.isAborted)
    .followedBy(keyChanged.as("log")),
  build: (match, contracts) => {
    const { source, destination, value, body } = match.anchor;
    if (!contracts.at(destination).isTgWallet) return cancel("the account is no wallet of Telegram");
    const signed = readTyped("TgWalletSigned", body);
    if (signed === undefined || !("new_public_key" in signed.request))
      return cancel("the request cannot be read");
    const { new_public_key, rotation_signature } = signed.request;
    const logged = bodyOf("tg_wallet_key_changed", match.get("log").body);
    if (logged === undefined) return cancel("the log cannot be read");
    return changeKind.build({
      source,
      destination,
      value,
      new_public_key: bytesToHex(new_public_key),
      rotation_signature: bytesToHex(rotation_signature),
      encrypted_old_private_key: bytesToHex(logged.encrypted_old_private_key),
    });
  },
};
