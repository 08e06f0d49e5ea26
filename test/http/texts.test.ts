import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Action } from "../../shared/schema/v3/actions.js";
import type { MessageStatus } from "../../shared/schema/v3/message-status.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import { TestSubscriber } from "../helpers/http/test-subscriber.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

type Spoken = Pick<Action, "text" | "preview" | "failure" | "type">;
type Traces = { traces: { actions: Spoken[] }[] };

const nobody = new Address(-1, new Uint8Array(32).fill(3));
const ends = (address: Address) => address.toFriendly().replace(/^(.{6}).*(.{4})$/, "$1…$2");

describe("Texts, on request", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
  });
  afterAll(() => service?.close());

  let wallets = 0;
  /** A wallet and its payment to an account without code, which is returned. */
  const made = async () => {
    const wallet = new TestWallet(`texts ${wallets++}`, "v4r2");
    const address = wallet.address.toRaw();
    await service.run("devnet.setBalance", { address, balance: (100n * ton).toString() });
    const bytes = wallet.pay({ to: nobody, value: ton, bounce: true });
    const boc = Buffer.from(bytes).toString("base64");
    const text = `Failed: ${ends(wallet.address)} sent 1 TON to ${ends(nobody)}; ${ends(nobody)} has no code`;
    return { wallet, boc, text };
  };
  const send = (boc: string) => service.run<{ hash_norm: string }>("sendBocReturnHash", { boc });
  const textsOf = (actions: readonly Spoken[]) =>
    actions.filter(({ type }) => type === "ton_transfer").map(({ text }) => text);
  const settle = async () => untilIndexed(service, await service.mine(4));

  it("come with actions, traces, emulations and statuses, in every wire form", async () => {
    const { boc, text, wallet } = await made();
    const emulated = await service.run<{ actions: Spoken[] }>("v3.emulate.trace", {
      boc,
      with_actions: true,
      include_text: true,
    });
    expect(textsOf(emulated.actions)).toEqual([text]);

    const { hash_norm: id } = await send(boc);
    const waiting = { ext_msg_hash: [id], include_text: true };
    const pending = await service.run<{ actions: Spoken[] }>("v3.pendingActions", waiting);
    expect(textsOf(pending.actions)).toEqual([text]);
    const { traces } = await service.run<Traces>("v3.pendingTraces", waiting);
    expect(textsOf(traces[0]!.actions)).toEqual([text]);
    const status = () =>
      service
        .run<MessageStatus>("v3.messageStatus", { hash: id, include_text: true })
        .then((each) => each.text);
    const reason = `${ends(nobody)} refused what ${ends(wallet.address)} asked: it has no code`;
    expect(await status()).toBe(
      `The message waits for a block, and 1 of the 3 expected transactions fails: ${reason}`,
    );

    await settle();
    const asked = { msg_hash: id, include_text: true };
    const answers: [string, object, (answer: never) => readonly Spoken[]][] = [
      ["v3.actions", {}, ({ actions }: { actions: Spoken[] }) => actions],
      ["v3.traces", { include_actions: true }, ({ traces: [trace] }: Traces) => trace!.actions],
      ["v3.events", {}, ({ events: [trace] }: { events: Traces["traces"] }) => trace!.actions],
    ];
    for (const [method, more, actionsOf] of answers)
      for (const [form, ended] of await service.inAllForms(method, { ...asked, ...more }))
        expect([method, form, textsOf(actionsOf((ended as { result: never }).result))]).toEqual([
          method,
          form,
          [text],
        ]);
    const failed = `The message was processed, but 1 of 3 transactions failed: ${reason}`;
    for (const [form, ended] of await service.inAllForms("v3.messageStatus", {
      hash: id,
      include_text: true,
    }))
      expect([form, (ended as { result: MessageStatus }).result]).toMatchObject([
        form,
        { text: failed, preview: { icon: "message", title: "Message processed" } },
      ]);
    const [action] = (await service.run<{ actions: Spoken[] }>("v3.actions", asked)).actions;
    const own = wallet.address.toRawUpper();
    expect(action).toMatchObject({
      preview: {
        icon: "transfer",
        values: [
          { role: "value", amount: ton.toString(), symbol: "TON", decimals: 9, asset: null, text: "1 TON" },
        ],
        accounts: [
          { account: own, role: "source", name: null },
          { account: nobody.toRawUpper(), role: "destination", name: null },
        ],
      },
      failure: {
        account: nobody.toRawUpper(),
        phase: "compute",
        skipped_reason: "no_state",
        refund: { account: own },
      },
    });
  });

  it("are absent without a request, and then nothing else changes", async () => {
    const { boc } = await made();
    const { hash_norm: id } = await send(boc);
    await settle();
    for (const method of ["v3.actions", "v3.messageStatus"]) {
      const asked = method === "v3.actions" ? { msg_hash: [id] } : { hash: id };
      const plain = await service.run<object>(method, asked);
      expect(JSON.stringify(plain)).not.toMatch(/"(text|preview)":/);
      const told = await service.run<object>(method, { ...asked, include_text: true });
      const without = JSON.parse(JSON.stringify(told), (name, value) => {
        if (name === "text" || name === "preview") return undefined;
        return method === "v3.actions" && name === "failure" ? undefined : value;
      });
      expect(without).toEqual(plain);
    }
  });

  it("name the accounts of a devnet, also for callers that want no address book", async () => {
    const { wallets: prefunded } = await service.run<{ wallets: { address: string; name: string }[] }>(
      "devnet.info",
    );
    const { address, name } = prefunded[0]!;
    await service.run("devnet.faucet", { address, amount: "2500000000" });
    await settle();
    const { json } = await service.get(`/api/v3/actions?account=${address}&include_text=true&limit=1`, {
      headers: { "X-No-Address-Book": "true", "X-No-Metadata": "true" },
    });
    const { actions, address_book } = json as { actions: Spoken[]; address_book: object };
    expect(address_book).toEqual({});
    expect(actions[0]!.text).toMatch(new RegExp(`^Faucet sent 2\\.5 TON to Wallet 0 \\(${name}\\)`));
  });

  it("come with events of subscriptions that ask for them, and not with others", async () => {
    const { boc, text, wallet } = await made();
    const client = await TestSubscriber.open(service.url, service.key);
    onTestFinished(() => client.close());
    const accounts = [wallet.address.toRaw()];
    const subscribe = async (params: object) =>
      (await client.subscribe({ finality: "pending", ...params })).subscription;
    const told = await subscribe({ kind: "actions", accounts, include: ["text"] });
    const plain = await subscribe({ kind: "actions", accounts });
    const traces = await subscribe({ kind: "traces", accounts, include: ["text", "messages"] });
    const both = [false, true].map((include_text) => {
      const stream = RawEventStream.open(
        service.url,
        { types: ["actions"], addresses: accounts, min_finality: "pending", include_text },
        { key: service.key },
      );
      onTestFinished(() => stream.close());
      return stream;
    });
    for (const stream of both) await stream.event("the start", ({ status }) => status === "subscribed");
    const { hash_norm: id } = await send(boc);
    const message = await subscribe({ kind: "message", message: id, include: ["text"] });
    await client.has(message, "message");
    await settle();
    const final = async (subscription: string, type: string) => {
      await client.has(subscription, type);
      for (;;) {
        const found = client.events(subscription, type).filter(({ finality }) => finality === "finalized");
        if (found.length > 0) return client.events(subscription, type).map(({ event }) => event as never);
        await client.has(subscription, type, client.events(subscription, type).length + 1);
      }
    };
    const actions = (await final(told, "action")).map(({ action }: { action: Spoken }) => action);
    const texts = textsOf(actions);
    // Pending and final.
    expect(texts.length).toBeGreaterThan(1);
    expect(new Set(texts)).toEqual(new Set([text]));
    expect(actions.find(({ type }) => type === "ton_transfer")).toMatchObject({
      failure: { phase: "compute" },
    });
    expect(JSON.stringify(await final(plain, "action"))).not.toMatch(/"(text|preview|failure)":/);
    for (const { trace } of (await final(traces, "trace")) as { trace: Traces["traces"][number] }[])
      expect(textsOf(trace.actions)).toEqual([text]);
    const isFinal = ({ finality }: Record<string, unknown>) => finality === "finalized";
    const [without, withTexts] = await Promise.all(
      both.map((stream) => stream.event("the final actions", isFinal)),
    );
    expect(textsOf(withTexts!["actions"] as Spoken[])).toEqual([text]);
    expect(JSON.stringify(without)).not.toContain('"preview":');
    await client.has(message, "end");
    const statuses = client
      .events(message, "message")
      .map(({ event }) => (event as { message: MessageStatus }).message);
    expect(statuses.at(-1)!.text).toMatch(/^The message was processed, but 1 of 3 transactions failed: /);
    for (const status of statuses) expect(status.preview?.icon).toBe("message");
  });
});
