import { externalMessage } from "../../../server/devnet/wallets/compose.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { bocText } from "../../helpers/contracts/contracts.js";
import { dearContract } from "../../helpers/contracts/dear-contracts.js";
import { someAddress } from "../../helpers/index/detection.js";
import { addressOf, emulateUncached, runUncached } from "../../helpers/servers/waiting.js";
import { jsonBody } from "../../helpers/services/proxied-service.js";
import type { Row } from "../harness.js";
import { largeResults } from "./large-results.js";
import { burning, opcodeNames } from "./opcodes.js";
import { post } from "./post.js";
import type { HostileService } from "./service.js";

/** The repeated call of an address; returns the status of the answer. */
export type Attacker = (address: number) => Promise<number | undefined>;

export type Attack = {
  title: string;
  /** Makes what it needs. */
  prepare(service: HostileService): Promise<Attacker>;
  /** Default: as most attacks. */
  goal?: Row["goal"];
  /** How many addresses attack, if not the usual number. */
  count?: number;
};

const held = { perAddress: 2, accounts: 100 } as const;
const rowsOfList = 1000;
const longText = 1_000_000;
const pendingMessages = 5;

const getMethods = opcodeNames.map(
  (name, number): Attack => ({
    title: `get-methods of ${name}`,
    async prepare({ url, place }) {
      const contract = someAddress(number).toRaw();
      await place(contract, await burning(name));
      return (address) => runUncached(url, contract, "burn", addressOf(address)).then(readAll);
    },
  }),
);

const traces: Attack = {
  title: "emulated traces of P256_CHKSIGNU",
  async prepare({ url, place }) {
    const contract = someAddress(0x80);
    await place(contract.toRaw(), await dearContract(1));
    const boc = bocText(externalMessage(contract, Cell.empty));
    return (address) => emulateUncached(url, boc, addressOf(address)).then(readAll);
  },
};

const pending: Attack = {
  title: "pending traces of P256_CHKSIGNU, and a stream of them",
  async prepare({ url, place, stream }) {
    const contracts = Array.from({ length: pendingMessages }, (_, n) => someAddress(0x90 + n));
    for (const contract of contracts) await place(contract.toRaw(), await dearContract(2));
    stream(0, { addresses: contracts.map((each) => each.toRaw()), min_finality: "pending" });
    for (const contract of contracts)
      await send(url, bocText(externalMessage(contract, Cell.empty)), addressOf(0));
    const path = `/api/v3/pendingTraces?account=${contracts[0]!.toRaw()}`;
    return (address) => fetch(url + path, { headers: addressOf(address) }).then(readAll);
  },
};

const lists: Attack = {
  title: `lists of ${rowsOfList} rows`,
  async prepare({ url }) {
    const kinds = ["transactions", "messages", "traces", "actions"];
    let asked = 0;
    return (address) => {
      const path = `/api/v3/${kinds[asked++ % kinds.length]}?limit=${rowsOfList}&offset=${asked}`;
      return fetch(url + path, { headers: addressOf(address) }).then(readAll);
    };
  },
};

const streams: Attack = {
  title: `streams of ${held.accounts} accounts, opened and left`,
  async prepare({ stream }) {
    const accounts = Array.from({ length: held.accounts }, (_, n) => someAddress(n).toRaw());
    const open = new Map<number, (() => void)[]>();
    return async (address) => {
      const own = open.get(address) ?? [];
      open.set(address, own);
      own.push(await stream(address, { addresses: accounts, types: ["transactions", "actions", "trace"] }));
      if (own.length > held.perAddress) own.shift()!();
      return undefined;
    };
  },
};

const texts: Attack = {
  title: "parameters of a megabyte",
  async prepare({ url }) {
    const params = { start_utime: `${"0".repeat(longText)}!` };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "v3.transactions", params });
    return (address) => post(`${url}/jsonRPC`, body, addressOf(address));
  },
};

/** The last one leaves messages behind. */
export const attacks: readonly Attack[] = [
  ...getMethods,
  largeResults,
  traces,
  lists,
  streams,
  texts,
  pending,
];

async function readAll(answer: Response): Promise<number> {
  await answer.arrayBuffer();
  return answer.status;
}

function send(url: string, boc: string, headers: Record<string, string>) {
  return fetch(`${url}/api/v3/message`, {
    method: "POST",
    body: JSON.stringify({ boc }),
    headers: { ...jsonBody, ...headers },
  }).then(readAll);
}
