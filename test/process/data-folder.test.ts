import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tonwire } from "../helpers/command.js";
import { canChangeUser, otherUser, serviceFolder, serviceUser } from "../helpers/other-users.js";
import { startService } from "../helpers/service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };

it(
  "the data folder of a devnet is refused for other networks before anything is written to it",
  slow,
  async () => {
    const data = temporaryFolder();
    const devnet = await startService({ data });
    await devnet.close();
    const before = readdirSync(data).sort();
    for (const command of [[], ["index", "--database-url", "postgres://127.0.0.1:1/none"]]) {
      const run = await tonwire([...command, "--network", "mainnet", "--data", data]);
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
    chmodSync(dirname(data), 0o700);
    chownSync(data, otherUser, otherUser);
    expect(await start()).toEqual(refusal("the folder above it may not be entered"));
  });
});

it("an index that is damaged is reported with the folder to move away and what is lost", slow, async () => {
  const data = temporaryFolder();
  mkdirSync(join(data, "index"));
  writeFileSync(join(data, "index", "PG_VERSION"), "18\n");
  const service = await startService({ data, index: true });
  const failures = () => service.logLines.filter((line) => line.includes("the index failed"));
  await until("the failure", () => failures().length > 0);
  await service.close();
  expect(failures()[0]).toContain(`the database in ${data}/index cannot be opened: `);
  expect(failures()[0]).toContain(
    "if it is damaged, move this folder away: the index is made anew, webhooks and messages that were sent are lost",
  );
});
