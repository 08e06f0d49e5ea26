import { onTestFinished } from "vitest";
import type { ServerAddress } from "../../../server/chain/adnl/client.js";
import { type LiteApi, type LiteCall, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { type LiteMethod, liteApiFrom } from "../../../shared/ton/lite/lite-methods.js";
import { liteMethods } from "../../../shared/ton/tl/lite-functions.js";
import {
  type BlockId,
  type BlockIdExt,
  formatBlockId,
  wholeShard,
} from "../../../shared/ton/tlb/block-id.js";
import { openGateway } from "../peers/gateway-line.js";

const hash = new Uint8Array(32).fill(1);

/** A masterchain block of a chain that has nothing but numbers. */
export function blockId(seqno: number): BlockIdExt {
  return { workchain: -1, shard: wholeShard, seqno, rootHash: hash, fileHash: hash };
}

/** One question as the server got it. */
type Asked = { method: LiteMethod; request: object; call: LiteCall };

/** A liteserver with a head and a first block; a test defines its other answers. */
export class FakeLiteServer {
  readonly address: ServerAddress;
  readonly asked: Asked[] = [];
  /** Questions a test wants answered in its own way; undefined leaves them to the server. */
  answer: (asked: Asked) => Promise<unknown> | undefined = () => undefined;
  oldest = 1;
  head: number;
  readonly #growth = new Set<() => void>();

  private constructor(address: ServerAddress, head: number) {
    this.address = address;
    this.head = head;
  }

  static async start(head = 100): Promise<FakeLiteServer> {
    let server: FakeLiteServer | undefined;
    const api = liteApiFrom(liteMethods, (method, request, call) => server!.#ask({ method, request, call }));
    const { gateway, address } = await openGateway(api);
    onTestFinished(() => gateway.close());
    server = new FakeLiteServer(address, head);
    return server;
  }

  static start3(...heads: [number, number, number]): Promise<FakeLiteServer[]> {
    return Promise.all(heads.map((head) => FakeLiteServer.start(head)));
  }

  /** As much of an api as it takes to open a pool for it. */
  static readonly info = {
    getMasterchainInfo: async () => ({ last: blockId(100), stateRootHash: hash, init: blockId(0) }),
  } as unknown as LiteApi;

  grow(head: number): void {
    this.head = head;
    for (const wake of this.#growth) wake();
  }

  /** Questions it received, except those of the pool itself. */
  get questions(): Asked[] {
    const own: LiteMethod[] = ["getTime", "lookupBlock", "getMasterchainInfoExt"];
    return this.asked.filter(({ method }) => !own.includes(method));
  }

  async #ask(asked: Asked): Promise<unknown> {
    const { method, request, call } = asked;
    if (call.waitSeqno !== undefined) await this.#grownTo(call.waitSeqno);
    this.asked.push(asked);
    const own = this.answer(asked);
    if (own) return own;
    const { id } = request as { id: BlockId };
    switch (method) {
      case "getTime":
        return { now: 1 };
      case "getMasterchainInfo":
        return { last: blockId(this.head), stateRootHash: hash, init: blockId(0) };
      case "getMasterchainInfoExt":
        return {
          last: blockId(this.head),
          stateRootHash: hash,
          init: blockId(0),
          version: 0x101,
          capabilities: 15n,
          now: 1,
          lastUtime: 1,
        };
      case "lookupBlock":
      case "getBlockHeader":
        if (id.seqno < this.oldest || id.seqno > this.head)
          throw new LiteError(651, `block ${formatBlockId(id)} is not in db`);
        return { id: blockId(id.seqno), headerProof: hash };
      case "sendMessage":
        return { status: 1 };
      default:
        throw new LiteError(-400, `${method} is not here`);
    }
  }

  async #grownTo(seqno: number): Promise<void> {
    while (this.head < seqno)
      await new Promise<void>((resolve) => {
        this.#growth.add(resolve);
      });
  }
}
