import { expect, it, onTestFinished } from "vitest";
import { replaceMeta } from "../../../server/store/queries/upkeep/index-meta.js";
import { datedTables } from "../../../server/store/queries/upkeep/rows-by-day.js";
import { tonwireHere } from "../../helpers/services/command-here.js";
import { storedTexts } from "../../helpers/store/parquet-texts.js";
import { havePostgres, openPatiently, TestPostgres } from "../../helpers/store/postgres.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { useCommonJs } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";

describeTool(`ClickHouse (chdb ${versions.npm.chdb})`, ["npm"], (workshop) => {
  it.runIf(havePostgres())("reads every value of Parquet files", async () => {
    await useCommonJs(workshop, "chdb");
    workshop.write("query.js", 'process.stdout.write(require("chdb").query(...process.argv.slice(2)));');
    const server = await TestPostgres.shared();
    const databaseUrl = await server.databaseWithSchema(storyIndex);
    onTestFinished(() => server.drop(databaseUrl));
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const sql = database.sql();
    await replaceMeta(sql, "network", "devnet");
    const folder = temporaryFolder();
    for (const [name, dated] of datedTables) {
      const flags = ["--dir", folder, "--database-url", databaseUrl, "--log-level", "silent"];
      expect(await tonwireHere(["export", name, ...flags])).toMatchObject({ code: 0, stderr: "" });
      const { stored, found } = await storedTexts(sql, dated);
      const printed = await workshop.run("node", [
        "query.js",
        `select * from file('${folder}/${name}/**/*.parquet', Parquet)`,
        "JSONStringsEachRow",
      ]);
      const rows = printed
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, string>);
      expect(found(rows.map(withNulls))).toEqual(stored);
      expect(stored.length, name).toBeGreaterThan(0);
    }
  });
});

/** The text by which this format of ClickHouse writes null. */
const nullText = "ᴺᵁᴸᴸ";

function withNulls(row: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === nullText ? null : value]),
  );
}
