import { Agent, get } from "node:http";
import { expect, test } from "vitest";
import { revokeKey } from "../../server/access/keys/key-commands.js";
import { DatabaseKeys } from "../../server/process/service/database-keys.js";
import { ranCommand } from "../helpers/services/ran-command.js";
import { devnetWithGateway, startApi, startIndex } from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { until } from "../helpers/until.js";

type Processes = { processes: { process: number; pid: number; state: string; restarts: number }[] };

const address = `0:${"CD".repeat(32)}`;

/** A call over a connection of its own, which any process may accept. */
function ask(url: string, key: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { agent: new Agent({ keepAlive: false }), headers: { "X-API-Key": key } };
    get(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("error", reject).on("end", () => resolve({ status: response.statusCode!, text }));
    }).on("error", reject);
  });
}

describeServers("tonwire api of several processes", (_, server) => {
  test("reads what another process writes, has one set of keys, and outlives one of its processes", {
    timeout: 600_000,
  }, async () => {
    const databaseUrl = await server().database();
    const { devnet, globalConfig } = await devnetWithGateway();
    const index = await startIndex({ databaseUrl, globalConfig });
    await until("the index", async () => (await index.health())[0] === 200);
    const api = await startApi({ databaseUrl, globalConfig }, "--processes", "2");
    await until("both processes", async () => (await api.health())[0] === 200);
    const processes = async () => (await api.status()) as unknown as Processes;
    const before = (await processes()).processes;
    expect(before.map(({ process, state }) => [process, state])).toEqual([
      [1, "ready"],
      [2, "ready"],
    ]);

    await devnet.run("devnet.faucet", { address });
    await devnet.mine();
    const path = `${api.url}/api/v3/transactions?account=${address}`;
    const made = await ranCommand(
      "keys",
      "create",
      "--plan",
      "unlimited",
      "--json",
      "--database-url",
      databaseUrl,
    );
    const { key, id } = made.json();
    const answers = async () => Promise.all(Array.from({ length: 8 }, () => ask(path, key)));
    await until("the transaction, of every process", async () =>
      (await answers()).every(({ status, text }) => status === 200 && text.includes(address)),
    );

    const second = before[1]!;
    process.kill(second.pid, "SIGKILL");
    await until("another process in its place", async () => {
      const now = (await processes()).processes[1]!;
      return now.restarts > second.restarts && now.state === "ready";
    });
    await until("its index", async () => (await api.health())[0] === 200);
    for (const { status, text } of await answers()) {
      expect(status).toBe(200);
      expect(text).toContain(address);
    }

    const keys = new DatabaseKeys(openPatiently(databaseUrl));
    await keys.change((file) => revokeKey(file, id, new Date()));
    await keys.close();
    await until("the revocation, in every process", async () =>
      (await answers()).every(({ status }) => status === 401),
    );
    api.process.send("SIGTERM");
    expect(await api.process.ended).toBe(0);
  });
});
