import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { WebhookAttempt } from "../../../client/index.js";
import { revokeKey, rotateKey } from "../../../server/access/keys/key-commands.js";
import { changeKeyFile, hashKey } from "../../../server/access/keys/key-file.js";
import { configWith } from "../../../server/config/settings.js";
import { emptyStoredIndex } from "../../../server/process/jobs/empty-index.js";
import { webhookMethods } from "../../../shared/methods/v3/webhooks.js";
import { isLong } from "../../helpers/effort.js";
import { type Answer, Ledger, ok, Receiver } from "../../helpers/peers/webhook-receiver.js";
import { addKey } from "../../helpers/services/keys.js";
import { ranCommand } from "../../helpers/services/ran-command.js";
import { devnetWithGateway, key, startApi, startIndex } from "../../helpers/services/role-processes.js";
import { WebhookService } from "../../helpers/services/webhook-service.js";
import { describeServers } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
type Failure = readonly [reason: string, Answer | "killed"];
const slow = { timeout: 600_000 };
const account = `0:${"AB".repeat(32)}`;
const other = `0:${"CD".repeat(32)}`;

describeServers("Webhooks", (_, server) => {
  /** One for all tests, whose webhooks end with them. */
  let shared: WebhookService;
  let url: string;
  beforeAll(async () => {
    url = await server().databaseWithSchema();
    shared = await WebhookService.start({ databaseUrl: url }, { webhookAttemptMs: 60_000 });
  });
  afterAll(() => shared?.close());

  /** A receiver with one webhook that takes what is signed. */
  async function start(hooks = shared) {
    onTestFinished(async () => {
      for (const { id } of await hooks.list()) await hooks.call("v3.webhooks.delete", { id });
    });
    const receiver = await Receiver.start();
    const { id, secret } = await hooks.create({ url: receiver.url, kind: "blocks" });
    const first = (await hooks.mine(1)) as number;
    const ledger = new Ledger(() => secret, hooks.clock.now);
    const taking: Answer = (response, request) => {
      ledger.take(request).then(
        () => ok(response, request),
        (error) => response.writeHead(400).end(String(error)),
      );
    };
    receiver.answer = taking;
    const attempts = async () =>
      ((await hooks.call("v3.webhooks.deliveries", { id, limit: 100 })) as { deliveries: WebhookAttempt[] })
        .deliveries;
    const has = (seqno: number) => until(`block ${seqno}`, () => ledger.blocks(id).at(-1) === seqno);
    await has(first);
    return { hooks, receiver, id, secret, ledger, taking, first, attempts, has };
  }

  const command = (...args: string[]) => ranCommand("webhooks", ...args, "--url", shared.service.url);

  test("have a command for each method, described as the method is", async () => {
    const text = (await command("--help")).printed.join("\n").replace(/\s+/g, " ");
    for (const [name, { summary }] of Object.entries(webhookMethods))
      expect(text).toContain(`${summary} (v3.webhooks.${name})`);
  });

  test("are created, changed, shown and deleted by commands", async () => {
    const url = "https://shop.example/events";
    const options = ["--accounts", `${account},${other}`, "--json"];
    const { code, errors, json } = await command("create", url, "transactions", ...options);
    expect([code, errors]).toEqual([0, []]);
    const { id, secret } = json();
    expect(json()).toMatchObject({ url, kind: "transactions", accounts: [account, other] });
    expect(secret).toMatch(/^whsec_/);
    const removal = JSON.stringify({ accounts: [other] });
    const updated = await command("update", id, "--remove", removal, "--paused", "true", "--json");
    expect(updated.json()).toMatchObject({ id, accounts: [account], paused: "paused by its owner" });
    expect((await command("list", "--json")).json().webhooks).toMatchObject([{ id }]);
    expect((await command("deliveries", id)).printed).toEqual(["", "deliveries:", "none"]);
    expect((await command("replay", id, '{"mc_seqno":1}', "--json")).json()).toMatchObject({ paused: null });
    expect((await command("delete", id)).printed).toEqual(["true"]);
    expect((await command("list", "--json")).json()).toEqual({ webhooks: [] });
  });

  test("of commands with invalid input are refused in a sentence", async () => {
    expect(await command("update", "wh_x", "--add", "accounts")).toMatchObject({
      code: 1,
      errors: [expect.stringMatching(/^tonwire: --add is no JSON: /)],
    });
    expect(await command("create", "https://localhost:1/", "blocks", "--key", "nobody's")).toMatchObject({
      code: 1,
      errors: ["tonwire: v3.webhooks.create: API key does not exist"],
    });
    const unknown = await command("replay", "wh_x", '{"mc_seqno":1}');
    expect(unknown.errors).toEqual(["tonwire: v3.webhooks.replay: there is no such webhook"]);
  });

  test.runIf(isLong)(
    "lose nothing and keep the order over receivers that fail in every way",
    slow,
    async () => {
      const service = await WebhookService.start(
        { databaseUrl: await server().database() },
        { webhookAttemptMs: 1000 },
      );
      onTestFinished(() => service.close());
      const { hooks, receiver, id, ledger, taking, first, attempts } = await start(service);
      const { port } = receiver;
      const failures: Failure[] = [
        ["status 500", (response) => void response.writeHead(500).end()],
        [
          "status 307: redirects are not followed",
          (response) => void response.writeHead(307, { location: "/good" }).end(),
        ],
        ["no answer within 1 s", () => {}],
        // It takes the events, but the process dies before it records that: they come again.
        [
          "no answer: the connection failed",
          (response, request) => void ledger.take(request).then(() => response.destroy()),
        ],
        [
          "the answer is no HTTP, or its head is too long",
          (response) => void response.writeHead(200, { filler: "f".repeat(32_000) }).end(),
        ],
        [
          "the answer is no HTTP, or its head is too long",
          ({ socket }) => void socket!.end("220 mail.example ESMTP\r\n"),
        ],
        ["no answer: the connection failed", "killed"],
      ];
      for (const [failure, answer] of failures) {
        if (answer === "killed") await receiver.kill();
        else receiver.answer = answer;
        await hooks.mine(3);
        await until(failure, async () => (await attempts())[0]?.failure === failure);
        const webhook = await hooks.one(id);
        expect(webhook).toMatchObject({ failure, paused: null, failing_since: expect.any(Number) });
        expect(webhook.next_attempt_at! - webhook.failing_since!).toBeLessThanOrEqual(5);
        if (answer === "killed") await receiver.listen(port);
        receiver.answer = taking;
        const last = first + 3 * (failures.findIndex((each) => each[1] === answer) + 1);
        // A busy machine may be late with an answer that takes them, too: they come once more.
        await until("the success", async () => {
          hooks.clock.pass(1000);
          return ledger.blocks(id).at(-1) === last && (await hooks.one(id)).failure === null;
        });
      }
      expect(ledger.blocks(id)).toEqual(range(first, first + 3 * failures.length));
      // No redirect was followed.
      expect(receiver.requests.every(({ path }) => path === "/")).toBe(true);
      for (const { failure, status } of await attempts()) expect(failure === null).toBe(status === 200);
    },
  );

  test("send a revert, and the blocks in place of the reverted ones", slow, async () => {
    const { hooks, receiver, id, ledger, has } = await start();
    const snapshot = (await hooks.call("devnet.snapshot")) as object;
    const base = ledger.blocks(id).at(-1)!;
    await has(await hooks.mine(3));
    await hooks.call("devnet.revert", snapshot);
    await until("the revert", () =>
      ledger.deliveries.some(({ events }) => events.some(({ event }) => event.type === "reverted")),
    );
    const { cursor } = await until("the cursor", async () => {
      const each = await hooks.one(id);
      return each.cursor === ledger.deliveries.at(-1)!.cursor && each;
    });
    expect(cursor).not.toBe(ledger.deliveries.at(-2)!.cursor);
    const [reverted] = ledger.deliveries.at(-1)!.events;
    expect(reverted!.event).toEqual({ type: "reverted", mc_seqno: base });
    const before = ledger.taken.length;
    const last = await hooks.mine(2);
    await until("the new blocks", () => ledger.taken.at(-1)!.seqno === last);
    expect([...new Set(ledger.taken.slice(before).map(({ seqno }) => seqno))]).toEqual(range(base + 1, last));
    expect(receiver.open).toBe(0);
  });

  test.runIf(isLong)(
    "are those of the keys that replace one another, and end with the last one",
    slow,
    async () => {
      const { hooks, receiver } = await start();
      const database = openPatiently(url);
      onTestFinished(() => database.close());
      const { keysFile } = hooks.service;
      const key = await addKey(hooks.service);
      const { id } = await hooks.create({ url: `${receiver.url}theirs`, kind: "blocks" }, { key });
      receiver.answer = ok;
      const theirs = () => receiver.requests.filter(({ path }) => path === "/theirs").length;
      await hooks.mine(1);
      await until("a delivery", () => theirs() === 1);
      const keyId = `k_${hashKey(key).slice(0, 12)}`;
      const next = await changeKeyFile(keysFile, (file) => rotateKey(file, keyId, 0, new Date()));
      const list = () => hooks.call("v3.webhooks.list", {}, { key: next.text });
      await until("the next key", async () => JSON.stringify(await list()).includes(id));
      await hooks.mine(1);
      await until("the next delivery", () => theirs() === 2);
      await changeKeyFile(keysFile, (file) => revokeKey(file, next.record.id, new Date()));
      const workers = `select worker from tonwire_kept.webhooks where id = '${id}'`;
      await until("the end", async () => {
        const [row] = await queriesOf(database).query<{ worker: bigint | null }>({
          text: workers,
          values: [],
        });
        return row!.worker === null;
      });
      const before = receiver.requests.length;
      await hooks.mine(2);
      await until("those of the other key", () => receiver.requests.length > before);
      expect(theirs()).toBe(2);
    },
  );

  test.runIf(isLong)("survive a restart, and an index that is built anew", slow, async () => {
    const data = temporaryFolder();
    const receiver = await Receiver.start();
    const { port } = receiver;
    const first = await WebhookService.start({ data });
    const { id, secret } = await first.create({ url: receiver.url, kind: "blocks" });
    const ledger = new Ledger(() => secret);
    receiver.answer = (response, request) => void ledger.take(request).then(() => ok(response, request));
    const begin = await first.mine(2);
    await until("the blocks", () => ledger.blocks(id).at(-1) === begin);
    await receiver.kill();
    const end = await first.mine(3);
    await first.close();
    await emptyStoredIndex(configWith({ data }));
    await receiver.listen(port);
    const second = await WebhookService.start({ data });
    onTestFinished(() => second.close());
    await until("the rest", () => ledger.blocks(id).at(-1) === end);
    expect(ledger.blocks(id)).toEqual(range(begin - 1, end));
    expect(await second.list({ key: null })).toMatchObject([{ id }]);
  });

  test.runIf(isLong)(
    "are shared by processes; if one is killed, the other delivers its webhooks",
    slow,
    async () => {
      const { devnet, globalConfig } = await devnetWithGateway();
      const place = { databaseUrl: await server().database(), globalConfig };
      await startIndex(place);
      const apis = [await startApi(place), await startApi(place)] as const;
      for (const api of apis)
        await until("the streams", async () => (await api.ask("/api/streaming/healthz"))[0] === 200);
      const [first, second] = apis;
      const receiver = await Receiver.start();
      const secrets = new Map<string, string>();
      const ledger = new Ledger((id) => secrets.get(id)!);
      receiver.answer = (response, request) =>
        void ledger.take(request).then(() => setImmediate(() => ok(response, request)));
      const call = async (api: typeof first, method: string, params: object) => {
        const response = await fetch(`${api.url}/jsonRPC`, {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-API-Key": key },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        });
        return ((await response.json()) as { result: never }).result;
      };
      for (let i = 0; i < 10; i++) {
        const params = { url: receiver.url, kind: "blocks", secret: `secret-of-webhook-${i}` };
        const { id } = (await call(apis[i % 2]!, "v3.webhooks.create", params)) as { id: string };
        secrets.set(id, params.secret);
      }
      const ids = [...secrets.keys()];
      const { last } = await devnet.run<{ last: { seqno: number } }>("getMasterchainInfo");
      const from = last.seqno + 1;
      const perHook = 500;
      for (let mined = 0; mined < perHook; mined += 100) {
        if (mined === 200) first.process.send("SIGKILL");
        await devnet.mine(100);
      }
      const to = from + perHook - 1;
      await until(
        () => `all blocks of ${ids.map((id) => ledger.blocks(id).length)}`,
        () => ids.every((id) => ledger.blocks(id).at(-1) === to),
      );
      for (const id of ids) expect(ledger.blocks(id)).toEqual(range(from, to));
      // All are with the process that is left.
      for (const id of ids) expect(await call(second, "v3.webhooks.delete", { id })).toBe(true);
      const { length } = receiver.requests;
      await devnet.mine(2);
      const { id } = (await call(second, "v3.webhooks.create", {
        url: receiver.url,
        kind: "blocks",
        secret: "secret-of-the-last-one",
      })) as { id: string };
      secrets.set(id, "secret-of-the-last-one");
      await devnet.mine(1);
      await until("the last webhook's", () => receiver.requests.length > length);
      expect(
        new Set(receiver.requests.slice(length).map(({ headers }) => headers["tonwire-webhook"])),
      ).toEqual(new Set([id]));
    },
  );
});
