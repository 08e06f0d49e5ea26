import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { callOf, jsonBody, startProxiedService } from "../services/proxied-service.js";

const account = `0:${"d".repeat(64)}`;
const blocks = 100;
/** Makes `getAddressInformation` answer with 360 KB. */
const cellsOfData = 2000;

/** A service with a heap of 256 MB, an account with much data, and blocks in each of which it is another answer. */
export async function startGreedService() {
  const flags = ["--index", "false", "--story", "false"];
  const { service, url, run } = await startProxiedService(flags, {
    NODE_OPTIONS: "--max-old-space-size=256",
  });
  const data = Buffer.from(serializeBoc(tree(cellsOfData))).toString("base64");
  const set = await run("devnet.setData", { address: account, data });
  await run("devnet.mine", { blocks });
  const first = set.result.block.seqno;
  /** A batch of this many calls, each for another block, starting with any of them. */
  const batch = (calls: number, start: number) =>
    Array.from({ length: calls }, (_, i) =>
      callOf("getAddressInformation", { address: account, seqno: first + ((start + i) % blocks) }, i),
    );
  return { service, url, batch, run };
}

/** A tree of different cells, four below each. */
function tree(cells: number): Cell {
  const built: Cell[] = [];
  for (let i = cells - 1; i >= 0; i--) {
    const cell = beginCell().storeBytes(Buffer.alloc(120, `cell ${i} `));
    for (let child = 4 * i + 1; child <= 4 * i + 4 && child < cells; child++) cell.storeRef(built[child]!);
    built[i] = cell.endCell();
  }
  return built[0]!;
}

const answerForms: Record<string, string>[] = [
  {},
  { "Accept-Encoding": "gzip" },
  { "Accept-Encoding": "br" },
  { Accept: "application/jsonl" },
];

type Attack = { url: string; batch: unknown; caller: string; number: number };

/** A connection that asks by HTTP or WebSocket, and reads one chunk of its answer whenever it is resumed. */
export async function attack({ url, batch, caller, number }: Attack): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.on("data", () => socket.pause()).pause();
  const form = answerForms[number % (answerForms.length + 1)];
  const body = JSON.stringify(batch);
  if (form) {
    const headers = { ...jsonBody, ...form, "Content-Length": body.length };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /jsonRPC HTTP/1.1\r\nHost: x\r\n${caller}\r\n${head.join("")}\r\n${body}`);
  } else {
    socket.write(`GET /jsonRPC HTTP/1.1\r\nHost: x\r\n${caller}\r\n${upgrade}\r\n`);
    socket.write(frameOf(body));
  }
  return socket;
}

const upgrade =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

/** A text frame, masked with zeros. */
function frameOf(text: string): Buffer {
  const head = Buffer.from([0x81, 0xfe, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(text.length, 2);
  return Buffer.concat([head, Buffer.from(text)]);
}
