import { type PlainCell, readBag } from "../../../../client/values/bag-of-cells.js";
import { Address } from "../../../../shared/values/address.js";
import { tgWalletId, tgWalletOpcodes } from "../../../../shared/values/tg-wallet.js";
import { bagOf, hashCell } from "../parts/cells.js";
import { address, bytes, cell, coins, uint } from "./cell-bits.js";
import type { Signer } from "./signing.js";
import type { WalletVersion } from "./wallet-codes.js";

/** A payment that the wallet should send. */
export type Payment = {
  readonly to: Address;
  readonly value: bigint;
  readonly body: PlainCell | undefined;
  readonly bounce: boolean;
};

export const isKnownVersion = (type: string): type is WalletVersion => Object.hasOwn(walletIds, type);

/** The current state of the wallet. */
export type WalletState = {
  readonly version: WalletVersion;
  readonly seqno: number;
  readonly isDeployed: boolean;
};

/** Default wallet ids in wallet apps, for the basechain. */
const walletIds: Readonly<Record<WalletVersion, number>> = {
  v3r2: 698_983_191,
  v4r2: 698_983_191,
  v5r1: 0x7fffff11,
  tg: tgWalletId,
};
/** Fees are paid separately, and send errors are ignored. */
const sendMode = uint(3, 8);
const externalRequest = uint(0x7369676e, 32);
const sendAction = uint(0x0ec3c86d, 32);
const tgSendOne = uint(tgWalletOpcodes.sendOne.external, 32);

/** A signed external message to a wallet, as a bag of cells in base64. The first one deploys the wallet. */
export async function walletMessage(
  signer: Signer,
  { version, seqno, isDeployed }: WalletState,
  { payment, validUntil }: { readonly payment: Payment; readonly validUntil: number },
): Promise<string> {
  const id = walletIds[version];
  const init = await stateInit(version, id, signer.publicKey);
  const fields = uint(id, 32) + uint(validUntil, 32) + uint(seqno, 32);
  const unsigned = request(version, fields, requested(payment));
  const signature = bytes(await signer.sign(hashCell(unsigned)!.hash));
  const bits = version === "v5r1" ? unsigned.bits + signature : signature + unsigned.bits;
  return bagOf(
    externalMessage(
      new Address(0, hashCell(init)!.hash),
      cell(bits, ...unsigned.refs),
      isDeployed ? undefined : init,
    ),
  )!;
}

/** The signed part of a request. */
function request(version: WalletVersion, fields: string, message: PlainCell): PlainCell {
  if (version === "v5r1")
    return cell(`${externalRequest}${fields}10`, cell(sendAction + sendMode, cell(""), message));
  if (version === "tg") return cell(tgSendOne + fields + sendMode, message);
  // op 0 of v4 is a transfer.
  return cell(fields + (version === "v4r2" ? uint(0, 8) : "") + sendMode, message);
}

/** int_msg_info$0 … in MessageRelaxed; the chain fills in source, fees and time. */
function requested({ to, value, body, bounce }: Payment): PlainCell {
  const info = `01${bounce ? 1 : 0}000${address(to)}${coins(value)}0${coins(0n)}${coins(0n)}${uint(0, 96)}`;
  return body ? cell(`${info}01`, body) : cell(`${info}00`);
}

/** ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams, then StateInit and body by reference. */
function externalMessage(to: Address, body: PlainCell, init: PlainCell | undefined): PlainCell {
  const info = `1000${address(to)}${coins(0n)}`;
  return init ? cell(`${info}111`, init, body) : cell(`${info}01`, body);
}

async function stateInit(version: WalletVersion, id: number, publicKey: Uint8Array): Promise<PlainCell> {
  const { walletCodes } = await import("./wallet-codes.js");
  const data = uint(0, 32) + uint(id, 32) + bytes(publicKey);
  const all = { v3r2: data, v4r2: `${data}0`, v5r1: `1${data}0`, tg: uint(0, 8) + data };
  return cell("00110", readBag(walletCodes[version]), cell(all[version]));
}
