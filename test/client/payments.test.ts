import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Payment } from "../../server/contracts/wallet-order.js";
import { type Jetton, jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { type Participant, participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { commentBody } from "../../server/devnet/wallets/compose.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../server/devnet/wallets/published-keys.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { isLong, sized } from "../helpers/effort.js";
import { pseudoRandom } from "../helpers/pseudo-random.js";
import { bundled, recipe } from "../helpers/recipes.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const program = `
import pg from "pg";
import { createClient, webSocket } from "tonwire";

const { DATABASE, URL, KEY, ACCOUNT, JETTONS } = process.env;
const client = createClient({ transport: webSocket(URL), apiKey: KEY });
const database = new pg.Pool({ connectionString: DATABASE, max: 1 });
database.query(tables).then(() => creditDeposits(client, database, ACCOUNT, JETTONS.split(",")));
`;
const rounds = sized(1, 12);
const seed = 7;
const ton = 1_000_000_000n;

type Credit = { comment: string | null; jetton: string | null; amount: string };

const participants = participantsOf(publishedSeed, await devnetWallets(publishedSeed));
const { acorn, devDollar } = jettonsOf(participants);
const { hana: shop, eve, finn } = participants;

describeServers("the recipe of payments", (_fresh, server) => {
  test("credits each deposit once, over kills", { timeout: 600_000 }, async () => {
    const numbers = pseudoRandom(seed);
    const below = (limit: number) => Math.floor(numbers.next().value * limit);
    const service = await sharedService("story");
    onTestFinished(() => service.close());
    await streamsReady(service);
    const databaseUrl = await server().database();
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    onTestFinished(() => database.end());

    const file = join(temporaryFolder(), "payments.cjs");
    writeFileSync(file, await bundled(recipe("creditDeposits") + program, "node", "cjs"));
    const env = {
      DATABASE: databaseUrl,
      URL: `${service.url}/jsonRPC`,
      KEY: service.key,
      ACCOUNT: shop.address.toFriendly(),
      JETTONS: acorn.address.toRaw(),
    };
    const start = () => spawn(process.execPath, [file], { env, stdio: ["ignore", "ignore", "inherit"] });
    let processor = start();
    const kill = async () => {
      const ended = once(processor, "exit");
      processor.kill("SIGKILL");
      await ended;
    };
    onTestFinished(kill);

    const ofUsers = /^user/;
    const credits = async () => {
      const { rows: made } = await database.query("select to_regclass('credits') as found");
      if (!made[0].found) return [];
      const { rows } = await database.query<Credit>("select comment, jetton, amount from credits");
      // Others are of the story.
      return rows.filter(({ comment }) => ofUsers.test(comment ?? ""));
    };
    const credited = (count: number) =>
      until(`${count} credits`, async () => (await credits()).length >= count);

    const paid: Credit[] = [];
    const send = async ({ wallet, address }: Participant, payments: readonly Payment[]) => {
      const { seqno } = await service.run<{ seqno: number }>("getWalletInformation", {
        address: address.toRaw(),
      });
      const order = wallet.order({ seqno, validUntil: 0xffffffff, payments });
      await service.run("sendBoc", { boc: bytesToBase64(serializeBoc(order)) });
    };
    const payTons = (comment: string, amount: bigint): Payment => {
      paid.push({ comment, jetton: null, amount: String(amount) });
      return { to: shop.address, value: amount, body: commentBody(comment) };
    };
    const payJettons = (jetton: Jetton, from: Participant, comment: string, amount: bigint): Payment => {
      const payload = commentBody(comment);
      const shared = { to: shop.address, excessesTo: from.address, queryId: below(2 ** 32) };
      const body = jettonTransferBody({ ...shared, amount, payload, forwardTons: 1n });
      return { to: jetton.walletOf(from.address), value: ton / 5n, body };
    };
    const payAcorns = (comment: string, amount: bigint) => {
      paid.push({ comment, jetton: acorn.address.toRawUpper(), amount: String(amount) });
      return payJettons(acorn, eve, comment, amount);
    };
    const amount = () => BigInt(1 + below(1000)) * 10_000_000n;
    const user = () => `user ${below(10)}`;

    let kills = 0;
    for (let round = 0; round < rounds; round++) {
      const before = paid.length;
      const some = Array.from({ length: 1 + below(4) }, () =>
        below(2) === 0 ? payTons(user(), amount()) : payAcorns(user(), amount()),
      );
      await send(eve, some);
      // Neither is a deposit: a jetton that is not in the list, and jettons that he has not got.
      await send(finn, [
        payJettons(devDollar, finn, user(), amount()),
        payJettons(acorn, finn, user(), amount()),
      ]);
      await service.mine(4);
      await credited(before + 1);
      if (isLong && below(2) === 0) continue;
      await kill();
      kills++;
      processor = start();
    }
    expect(kills).toBeGreaterThanOrEqual(rounds / 4);
    await send(eve, [payTons("user at the end", ton)]);
    await service.mine(4);
    await until("the last credit", async () =>
      (await credits()).some(({ comment }) => comment === "user at the end"),
    );
    const sorted = (all: readonly Credit[]) => all.map((credit) => JSON.stringify(credit)).sort();
    expect(sorted(await credits())).toEqual(sorted(paid));
  });
});
