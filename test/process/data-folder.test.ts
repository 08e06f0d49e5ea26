import { chmodSync, chownSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { isLong, variants } from "../helpers/effort.js";
import { canChangeUser, otherUser, serviceFolder, serviceUser } from "../helpers/other-users.js";
import { tonwire } from "../helpers/services/command.js";
import { tonwireHere } from "../helpers/services/command-here.js";
import { startService } from "../helpers/services/service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const slow = { timeout: 600_000 };

it(
  "the data folder of a devnet is refused for other networks before anything is written to it",
  slow,
  async () => {
    const data = temporaryFolder();
    await (await startService({ data })).close();
    const before = readdirSync(data).sort();
    for (const command of [[], ["index", "--database-url", "postgres://127.0.0.1:1/none"]]) {
      const run = await tonwireHere([...command, "--network", "mainnet", "--data", data]);
      expect(run).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining(
          `tonwire: ${data} is the data folder of a devnet: name another folder for mainnet with --data, or move its files away\n`,
        ),
      });
    }
    expect(readdirSync(data).sort()).toEqual(before);
  },
);

/** The refusal of a start, which is a sentence. */
const refused = (sentence: string) => ({ code: 1, stdout: "", stderr: `tonwire: ${sentence}\n` });
const quiet = ["--port", "0", "--admin-port", "0", "--log-level", "silent"];
const hash = Buffer.alloc(32, 7).toString("base64");
const hashes = { root_hash: hash, file_hash: hash };
const trustOfTestnet = JSON.stringify({
  ...{ format: 1, network: "testnet", zero_state: hashes, verified_at: 1 },
  ...{ start: { seqno: 0, ...hashes }, key_block: { seqno: 0, ...hashes, gen_utime: 1 } },
});

it(
  "the data folder of another network is refused, by a devnet before anything is written to it",
  slow,
  async () => {
    const data = temporaryFolder();
    const path = join(data, "trust.json");
    writeFileSync(path, trustOfTestnet);
    expect(await tonwireHere(["--data", data, ...quiet])).toEqual(
      refused(
        `${data} is the data folder of mainnet or testnet: name that network with --network, or another folder for the devnet with --data`,
      ),
    );
    expect(readdirSync(data)).toEqual(["trust.json"]);
    const network = ["--network", "mainnet", "--global-config-url", "off"];
    const start = await tonwireHere([...network, "--data", data, ...quiet]);
    expect(start).toMatchObject({ code: 1, stdout: "" });
    const own = String.raw`\(-1,8000000000000000,0\):\w{64}:\w{64}`;
    expect(start.stderr).toMatch(
      new RegExp(
        `^tonwire: ${path} is of another network, testnet with the zero state ${own}, not mainnet with ${own}: ` +
          "name another folder with --data, or move the file away\n$",
      ),
    );
  },
);

describe.skipIf(!canChangeUser)("a file of another user in the data folder", slow, () => {
  it.each(
    variants<[name: string, flags: string[]]>(
      [["chain.log", []]],
      [["trust.json", ["--network", "testnet", "--global-config-url", "off"]]],
    ),
  )("%s, is refused with the command that gives it away", async (name, flags) => {
    const data = serviceFolder();
    const path = join(data, name);
    writeFileSync(path, "", { mode: 0o600 });
    const start = await tonwire([...flags, "--data", data, ...quiet], { user: serviceUser });
    expect(start).toEqual(
      refused(
        `${path} cannot be read: it belongs to user 0, and this process runs as user ${serviceUser}; ` +
          `give it to that user as root: chown ${serviceUser} ${path}`,
      ),
    );
    expect(readdirSync(data)).toEqual([name]);
  });
});

describe.skipIf(!canChangeUser)("a data folder of another user", slow, () => {
  it("is refused with the command that gives it away", async () => {
    const data = serviceFolder();
    const start = () => tonwire(["--data", data, "--port", "0", "--admin-port", "0"], { user: otherUser });
    const refusal = (why: string) => ({
      code: 1,
      stdout: "",
      stderr: `tonwire: ${data} cannot be used by user ${otherUser}: ${why}; give it to that user as root: chown -R ${otherUser} ${data}\n`,
    });
    expect(await start()).toEqual(refusal(`it belongs to user ${serviceUser}`));
    if (!isLong) return;
    chmodSync(dirname(data), 0o700);
    chownSync(data, otherUser, otherUser);
    expect(await start()).toEqual(refusal("the folder above it may not be entered"));
  });
});

it("an index that is damaged is reported with the folder to move away and the loss", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "PG_VERSION"), "18\n");
  await expect(openPglite(folder)).rejects.toThrow(
    new RegExp(
      `^the database in ${folder} cannot be opened: .*if it is damaged, move this folder away: ` +
        "the index is made anew, webhooks and messages that were sent are lost$",
    ),
  );
});
