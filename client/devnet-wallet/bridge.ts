import { settled } from "../../shared/values/promises.js";
import type { Caller } from "../caller.js";
import { devnetInfo } from "./account.js";
import type {
  Approval,
  ConnectEvent,
  DeviceInfo,
  TonConnectBridge,
  WalletEvent,
  WalletInfo,
  WalletResponse,
} from "./bridge-types.js";
import { Identity } from "./identity.js";
import { type Account, maxMessages, takesInternalOrders } from "./orders.js";
import type { Kept, Page } from "./page.js";
import { badRequest, Refusal, refusalOf } from "./refusal.js";
import { type Item, idOf, type Request, readConnect, readData, readRequest } from "./requests.js";
import { OrderSender } from "./sending.js";
import { readTransfer, type Transfer } from "./transfer.js";
import { deviceInfoOf, walletInfoOf } from "./wallet-info.js";

/** The parts of a bridge. */
type BridgeParts = {
  readonly client: Pick<Caller, "call">;
  readonly account: Account;
  /** The network's id, as TON Connect writes it. */
  readonly network: string;
  readonly page: Page;
  /** Storage key of the page's connection and its account. */
  readonly kept: Kept;
  readonly name: string;
  readonly approve: (approval: Approval) => boolean | Promise<boolean>;
};

const defaultValiditySec = 300;

/** A test wallet behind the interface that dapps expect of wallets in browsers. */
export class DevnetBridge implements TonConnectBridge {
  readonly deviceInfo: DeviceInfo;
  readonly walletInfo: WalletInfo;
  readonly protocolVersion = 2;
  readonly isWalletBrowser = false;
  readonly #parts: BridgeParts;
  readonly #identity: Identity;
  readonly #orders: OrderSender;
  readonly #listeners = new Set<(event: WalletEvent) => void>();
  #isConnected = false;
  #lastRequest = -1n;
  #lastEvent = 0;
  /** Requests are carried out one after the other, as by a person. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: BridgeParts) {
    const { client, account, network, page, name } = parts;
    this.#parts = parts;
    this.#identity = new Identity(account, network, page);
    this.#orders = new OrderSender(client, account);
    this.deviceInfo = deviceInfoOf(account.version);
    this.walletInfo = walletInfoOf(account.version, name, page.origin);
  }

  connect = (protocolVersion: number, request: unknown): Promise<ConnectEvent> =>
    this.#connecting(async () => {
      const items = readConnect(protocolVersion, request);
      await this.#approved({ method: "connect", request });
      return items;
    });

  restoreConnection = (): Promise<ConnectEvent> =>
    this.#connecting(async () => {
      if (this.#parts.kept.get() !== this.#connection())
        throw new Refusal("notConnected", "the page is not connected to this account");
      return [{ name: "ton_addr", network: undefined }];
    });

  send = async (value: unknown): Promise<WalletResponse> => {
    const id = idOf(value);
    try {
      const request = readRequest(value);
      this.#begin(request);
      const carriedOut = this.#last.then(() => this.#result(request));
      this.#last = settled(carriedOut);
      return { id, result: await carriedOut };
    } catch (error) {
      return { id, error: refusalOf(error) };
    }
  };

  listen = (callback: (event: WalletEvent) => void): (() => void) => {
    this.#listeners.add(callback);
    return () => void this.#listeners.delete(callback);
  };

  disconnect = (): void => {
    this.#isConnected = false;
    this.#parts.kept.set(null);
  };

  /** Ends the connection as the wallet's user; the page gets an event. */
  leave(): void {
    if (!this.#isConnected) return;
    this.disconnect();
    const event = { event: "disconnect", id: this.#nextEvent(), payload: {} } as const;
    for (const listener of [...this.#listeners]) listener(event);
  }

  async #connecting(read: () => Promise<readonly Item[]>): Promise<ConnectEvent> {
    const id = this.#nextEvent();
    try {
      const items = (await read()).map((item) => this.#identity.reply(item));
      this.#isConnected = true;
      this.#lastRequest = -1n;
      this.#parts.kept.set(this.#connection());
      return { event: "connect", id, payload: { items, device: this.deviceInfo } };
    } catch (error) {
      return { event: "connect_error", id, payload: refusalOf(error) };
    }
  }

  /** A connection is to one account of one network. */
  #connection(): string {
    return `${this.#identity.network} ${this.#identity.address}`;
  }

  /** Later than all previous ids, also those of earlier loads of the page. */
  #nextEvent(): number {
    this.#lastEvent = Math.max(this.#lastEvent + 1, Date.now());
    return this.#lastEvent;
  }

  /** Takes the requests of a connection in their order, each once. */
  #begin({ id, method }: Request): void {
    if (!this.#isConnected) throw new Refusal("notConnected", `${method}: the page is not connected`);
    const number = BigInt(id);
    if (number <= this.#lastRequest)
      throw badRequest(`the id ${id} does not come after the last one, ${this.#lastRequest}`);
    this.#lastRequest = number;
  }

  async #result({ method, params }: Request): Promise<unknown> {
    const { version } = this.#parts.account;
    switch (method) {
      case "disconnect":
        this.disconnect();
        return {};
      case "sendTransaction":
        return this.#orders.send(await this.#order(method, params));
      case "signMessage":
        if (!takesInternalOrders(version))
          throw new Refusal("notSupported", `wallets ${version} take orders from outside only`);
        return { internalBoc: await this.#orders.internal(await this.#order(method, params)) };
      case "signData": {
        const request = readData(params);
        this.#identity.check(request);
        await this.#approved({ method, request: request.payload });
        return this.#identity.signedData(request);
      }
    }
  }

  /** Reads the order in a request, checks it, and has it approved. */
  async #order(method: "sendTransaction" | "signMessage", params: unknown) {
    const transfer: Transfer = readTransfer(params, maxMessages(this.#parts.account.version));
    this.#identity.check(transfer);
    const { now } = await devnetInfo(this.#parts.client);
    const { validUntil = now + defaultValiditySec, messages } = transfer;
    if (validUntil < now)
      throw badRequest(`valid_until ${validUntil} is past: the time of the devnet is ${now}`);
    await this.#approved({ method, request: transfer });
    return { validUntil, messages };
  }

  async #approved(approval: Approval): Promise<void> {
    if (!(await this.#parts.approve(approval)))
      throw new Refusal("declined", `the user declined ${approval.method}`);
  }
}
