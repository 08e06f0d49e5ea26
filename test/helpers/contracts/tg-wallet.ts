import { SigningKey } from "../../../server/chain/ed25519.js";
import { type Payment, requestedMessage } from "../../../server/contracts/wallet-order.js";
import { externalMessage } from "../../../server/devnet/wallets/compose.js";
import { Wallet } from "../../../server/devnet/wallets/wallet.js";
import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { Address } from "../../../shared/values/address.js";
import { tgWalletOpcodes } from "../../../shared/values/tg-wallet.js";
import type { DevnetService } from "../services/devnet-service.js";
import { bocText } from "./contracts.js";

const mainnetId = 0x7fff7f11;
const always = 4_000_000_000;

/** The key of the vector in the contract's documentation: a seed of 32 bytes of 1. */
export const tgKey = keyOf(1);

export function keyOf(byte: number): SigningKey {
  return new SigningKey(new Uint8Array(32).fill(byte));
}

/** The beginning of a request: who may carry it out, until when, and as which of its requests. */
export function tgRequest(opcode: number, seqno: number, walletId = mainnetId): Builder {
  return beginCell().storeUint(opcode, 32).storeUint(walletId, 32).storeUint(always, 32).storeUint(seqno, 32);
}

/** A request to send one message. */
export function sendOneRequest(seqno: number, payment: Payment, { mode = 3, walletId = mainnetId } = {}) {
  return tgRequest(tgWalletOpcodes.sendOne.external, seqno, walletId)
    .storeUint(mode, 8)
    .storeRef(requestedMessage(payment));
}

/** A request with its signature. */
export function signedBy(key: SigningKey, request: Builder): Cell {
  return beginCell().storeBytes(key.sign(request.endCell().hash())).storeBuilder(request).endCell();
}

/** A request for another key, with the proof that the new key, or `prover`, signs for the account. */
export function keyChange({ workchain, hash }: Address, seqno: number, next: SigningKey, prover = next) {
  const account = beginCell()
    .storeBytes(new TextEncoder().encode("KEY_ROTATION"))
    .storeInt(workchain, 8)
    .storeBytes(hash);
  const proof = beginCell().storeBytes(prover.sign(account.endCell().hash()));
  const old = beginCell().storeBytes(new Uint8Array(32).fill(9));
  return tgRequest(tgWalletOpcodes.changeKey.external, seqno)
    .storeBytes(next.publicKey)
    .storeRef(proof.endCell())
    .storeRef(old.endCell());
}

/** Telegram's wallet at a service, used as a client uses it: over HTTP. */
export class TgAccount {
  readonly wallet: Wallet;
  readonly address: string;
  readonly #service: DevnetService;

  constructor(service: DevnetService, key = tgKey) {
    this.#service = service;
    this.wallet = new Wallet("tg", key);
    this.address = this.wallet.address.toRaw();
  }

  /** The message of a request; the first one deploys the account. */
  order(seqno: number, payments: readonly Payment[]): Cell {
    return this.wallet.order({ seqno, validUntil: always, payments });
  }

  /** The message with this body. */
  messageOf(body: Cell): Cell {
    return externalMessage(this.wallet.address, body);
  }

  /** Sends a message, and makes the block that has it; returns the data of its refusal. */
  async send(message: Cell): Promise<object | undefined> {
    const answer = await this.#service.rpc("sendBocReturnHash", { boc: bocText(message) });
    await this.#service.mine();
    return (answer as { error?: { data: object } }).error?.data;
  }

  /** The number that a get-method returns, or its exit code in words. */
  async read(method: string): Promise<bigint | string> {
    const params = { address: this.address, method, stack: [] };
    const { exit_code, stack } = await this.#service.run<{ exit_code: number; stack: [string, string][] }>(
      "runGetMethod",
      params,
    );
    return exit_code === 0 ? BigInt(stack[0]![1]) : `exit code ${exit_code}`;
  }

  /** The values of the messages of the newest transaction. */
  async newestValues(): Promise<string[]> {
    const [last] = await this.#service.run<{ out_msgs: { value: string }[] }[]>("getTransactions", {
      address: this.address,
      limit: 1,
    });
    return last!.out_msgs.map(({ value }) => value);
  }
}
