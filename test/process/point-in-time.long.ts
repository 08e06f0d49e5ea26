import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../helpers/free-port.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { devnetWithGateway, startApi, startIndex } from "../helpers/services/role-processes.js";
import { askOnce } from "../helpers/store/ask-once.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { lend, mayStopPostgres, postgresProgram, runAsUser } from "../helpers/store/postgres.js";
import { archiveSettings, recoveryScript, runScript } from "../helpers/store/recovery-commands.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };

describeOwnPostgres("The README's commands", (_, server) => {
  test.runIf(mayStopPostgres)(
    "restore the index of a moment, from which it goes on without a gap",
    slow,
    async () => {
      const place = folderInRun("tonwire-restore-");
      chmodSync(place, 0o755);
      lend(place);
      runAsUser("mkdir", ["archive", "backup"], place);
      const databaseUrl = await server().database();
      const port = await freePort();
      const places = {
        "/archive": join(place, "archive"),
        "/backup": join(place, "backup"),
        "/restored": join(place, "restored"),
        "--port=5433": `--port=${port} --unix_socket_directories= --listen_addresses=127.0.0.1 --fsync=off`,
      };
      const env = { DATABASE_URL: databaseUrl };
      for (const line of archiveSettings().trimEnd().split("\n"))
        await askOnce(databaseUrl, `alter system set ${line.replaceAll("/archive", places["/archive"])}`);
      await server().halt();
      await server().run();

      const { devnet, globalConfig } = await devnetWithGateway();
      const index = await startIndex({ databaseUrl, globalConfig });
      const reaches = (process: typeof index, seqno: number) =>
        until("the index", async () => (await process.status()).index?.seqno === seqno);
      const first = await devnet.mine(3);
      await reaches(index, first);
      await runScript(recoveryScript("a base backup"), { places, env });

      await devnet.run("devnet.faucet", { address: `0:${"5A".repeat(32)}` });
      const wanted = await devnet.mine(3);
      await reaches(index, wanted);
      const [{ moment }] = (await askOnce(databaseUrl, "select now()::text as moment")) as [
        { moment: string },
      ];
      const last = await devnet.mine(4);
      await reaches(index, last);
      // This payment must not come back.
      await askOnce(databaseUrl, "delete from transactions");
      await askOnce(databaseUrl, "select pg_switch_wal()");
      const unarchived = async () =>
        (
          await askOnce(
            databaseUrl,
            "select failed_count, last_archived_wal is null as none from pg_stat_archiver",
          )
        )[0]!;
      await until("the archive", async () => !(await unarchived())["none"]);
      expect(await unarchived()).toMatchObject({ failed_count: "0" });

      const restore = recoveryScript("a restore to a moment").replace(
        /(?<=recovery_target_time = ')[^']+/,
        moment,
      );
      expect(restore).toContain(moment);
      onTestFinished(async () => {
        if (existsSync(join(places["/restored"], "postmaster.pid")))
          runAsUser(postgresProgram("pg_ctl"), ["-D", places["/restored"], "-m", "immediate", "stop"], place);
        rmSync(place, { recursive: true, force: true });
      });
      // The end of the log, which the archive has when the server stops.
      await server().halt();
      await runScript(restore, { places, env });
      await server().run();

      const restored = new URL(databaseUrl);
      restored.port = String(port);
      await until("its end of recovery", async () => {
        const [row] = await askOnce(restored.href, "select pg_is_in_recovery()::text as is_standby");
        return row!["is_standby"] === "false";
      });
      const stored = async () =>
        Number((await askOnce(restored.href, "select seqno from index_version"))[0]!["seqno"]);
      const atMoment = await stored();
      expect(atMoment).toBeGreaterThanOrEqual(wanted);
      expect(atMoment).toBeLessThan(last);
      const later = await startIndex({ databaseUrl: restored.href, globalConfig });
      await reaches(later, await devnet.mine());
      const api = await startApi({ databaseUrl: restored.href, globalConfig }, "--health-max-lag", "1000000");
      const clean = { databaseUrl: await server().database(), globalConfig };
      await startIndex(clean);
      const other = await startApi(clean, "--health-max-lag", "1000000");
      const end = last + 1;
      await until("the other index", async () => (await other.lastSeqno()) === end);
      await until("the answers", async () => (await api.lastSeqno()) === end);
      expect((await api.ask("/api/v3/masterchainInfo"))[1]).not.toHaveProperty("gaps");
      for (const path of ["blocks", "transactions", "messages", "traces", "actions"])
        await until(`equal answers of ${path}`, async () => {
          const [one, two] = [
            await api.ask(`/api/v3/${path}?limit=500`),
            await other.ask(`/api/v3/${path}?limit=500`),
          ];
          return JSON.stringify(one) === JSON.stringify(two);
        });
    },
  );
});
