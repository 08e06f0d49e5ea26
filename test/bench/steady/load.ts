import { externalMessage } from "../../../server/devnet/wallets/compose.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { bocText } from "../../helpers/contracts/contracts.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { someAddress } from "../../helpers/index/detection.js";
import { ask, callV2, type Question, v2Question } from "../peers/requests.js";
import type { Server } from "../peers/server.js";
import { receiverAt, type SteadyService, transfer } from "./service.js";

const streams = 20;
/** Number of transfers after which a stream is closed and another one opened. */
const stepsPerStream = 5;

/** Accepts every message. */
const accepting = someAddress(1);
const message = bocText(externalMessage(accepting, Cell.empty));

/** Reads of all kinds beside one transfer; `number` makes most of them others each time. */
function questions(server: Server, number: number, wallet: string): Question[] {
  const address = receiverAt(number);
  const lists = ["transactions", "messages", "traces", "actions", "jetton/wallets", "nft/items", "blocks"];
  const run = { address: wallet, method: "seqno", stack: [["num", `${number}`]] };
  const emulate = { boc: message, ignore_chksig: true, supported_action_types: [`v${number}`] };
  return [
    v2Question(server, "getMasterchainInfo", {}),
    v2Question(server, "getAddressInformation", { address }),
    v2Question(server, "getTransactions", { address, limit: 20 }),
    v2Question(server, "runGetMethod", run),
    { path: `/api/v3/${lists[number % lists.length]}?limit=100&offset=${number % 50}` },
    { path: `/api/v3/transactions?account=${address}&limit=50` },
    { path: `/api/v3/pendingTraces?account=${address}` },
    ...(number % 4 === 0 ? [{ path: "/api/emulate/v1/emulateTrace", body: emulate }] : []),
  ];
}

/** Transfers, blocks, reads, emulations and streams, one after the other without a pause. */
export class MixedLoad {
  readonly #service: SteadyService;
  readonly #server: Server;
  readonly #wallet: string;
  readonly #first: number;
  readonly #streams: RawEventStream[] = [];
  /** Failures by their texts. */
  readonly failures = new Map<string, number>();
  calls = 0;
  /** Blocks that were made. */
  blocks = 0;
  #steps = 0;

  /** `first`: seqno of the newest block. */
  constructor(service: SteadyService, wallet: string, first: number) {
    this.#service = service;
    this.#server = service.server;
    this.#wallet = wallet;
    this.#first = first;
  }

  /** Makes the contract to which messages are emulated. */
  async prepare(): Promise<void> {
    const code = await compile(
      'import "@stdlib/gas-payments"\nfun onExternalMessage() { acceptExternalMessage(); }',
    );
    const address = accepting.toRaw();
    await callV2(this.#server, "devnet.setCode", { address, code: bocText(code) });
    await callV2(this.#server, "devnet.setBalance", { address, balance: "1000000000000" });
  }

  /** Makes blocks with a transfer, and reads beside them. */
  async step(): Promise<void> {
    const number = this.#steps++;
    const made = transfer(this.#service, receiverAt(number)).then((seqno) => {
      this.blocks = seqno - this.#first;
    });
    const reads = questions(this.#server, number, this.#wallet).map((each) => ask(this.#server, each));
    await Promise.all([made, ...reads].map((call) => this.#count(call)));
    if (number % stepsPerStream === 0) this.#openStream(number);
  }

  close(): void {
    for (const { socket } of this.#streams) socket.destroy();
  }

  #openStream(number: number): void {
    const addresses = Array.from({ length: 10 }, (_, at) => receiverAt(number + at));
    const request = { addresses, types: ["transactions", "actions", "trace"] };
    const { origin, headers } = this.#server;
    this.#streams.push(RawEventStream.open(origin, request, { headers }));
    if (this.#streams.length > streams) this.#streams.shift()!.socket.destroy();
  }

  async #count(call: Promise<unknown>): Promise<void> {
    this.calls++;
    try {
      await call;
    } catch (error) {
      // Without the host, and what differs from call to call.
      const text = (error as Error).message.replace(/^\S+?(\/api\/[\w/]+)\S*/, "$1").slice(0, 120);
      this.failures.set(text, (this.failures.get(text) ?? 0) + 1);
    }
  }
}
