import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { externalMessage } from "../../server/devnet/wallets/compose.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { tracePath } from "../helpers/chain/emulated.js";
import { bocText, place } from "../helpers/contracts/contracts.js";
import { compileRabbit } from "../helpers/contracts/rabbit.js";
import { compile } from "../helpers/contracts/tolk.js";
import { someAddress } from "../helpers/index/detection.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { until } from "../helpers/until.js";

const work = "var left: int = 10000; while (left > 0) { left -= 1; }";

const slow = someAddress(0x12);
const harmless = someAddress(0x13);

describe("emulations without an end", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await startDevnetService({ index: true }, { emulationTimeoutMs: undefined });
    await place(service, {
      address: slow.toRaw(),
      code: await compileRabbit(work),
      balance: "1000000000000000",
    });
    const accepting = await compile(
      'import "@stdlib/gas-payments"\nfun onExternalMessage() { acceptExternalMessage(); }',
    );
    await place(service, { address: harmless.toRaw(), code: accepting, balance: "10000000000" });
  });
  afterAll(() => service.close());

  const emulate = (to: typeof slow, key?: null) =>
    service.post(tracePath, { boc: bocText(externalMessage(to, Cell.empty)) }, key === null ? { key } : {});

  it("end in time, and leave others answered meanwhile", async () => {
    await until("an emulation of another caller is answered while a flood goes on", async () => {
      let running = 20;
      const flood = Array.from({ length: running }, (_, n) =>
        // Different seqnos are different calls.
        service
          .post(tracePath, {
            boc: bocText(externalMessage(slow, Cell.empty)),
            ignore_chksig: n % 2 === 0,
            with_actions: n % 4 < 2,
            include_code_data: n % 8 < 4,
            supported_action_types: [`v${n}`],
          })
          .finally(() => running--),
      );
      const { status } = await emulate(harmless, null);
      const isAmidst = running > 0;
      for (const { status, json } of await Promise.all(flood))
        if (status === 200) expect(json).toMatchObject({ is_incomplete: true });
        else
          expect([status, json]).toEqual([
            429,
            { error: expect.stringMatching(/emulation takes too long|contracts of this caller/) },
          ]);
      return status === 200 && isAmidst;
    });
    expect((await emulate(harmless)).status).toBe(200);
  });

  it("of messages that wait for a block end with their gas or time, and leave others shown", async () => {
    await streamsReady(service);
    const send = async (to: typeof slow) => {
      const boc = bocText(externalMessage(to, Cell.empty));
      const { json } = await service.post("/api/v3/message", { boc });
      return encodeURIComponent((json as { message_hash_norm: string }).message_hash_norm);
    };
    const [endless, other] = [await send(slow), await send(harmless)];
    const traceOf = async (hash: string) => {
      const { json } = await service.get(`/api/v3/pendingTraces?ext_msg_hash=${hash}`);
      return (json as { traces: [PendingTrace] }).traces[0];
    };
    const { trace_info, transactions } = await traceOf(endless);
    const gas = Object.values(transactions).map(({ description }) => Number(description.compute_ph.gas_used));
    const all = gas.reduce((sum, each) => sum + each);
    expect(all - gas.at(-1)!).toBeLessThan(20e6);
    expect(trace_info.pending_messages).toBeGreaterThan(0);
    expect(Object.keys((await traceOf(other)).transactions)).toHaveLength(1);
  });
});

type PendingTrace = {
  trace_info: { pending_messages: number };
  transactions: Record<string, { description: { compute_ph: { gas_used: string } } }>;
};
