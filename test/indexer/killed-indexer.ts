// A process to be killed: indexes a recorded chain into the database it is given and says what it has committed.
import { writeSync } from "node:fs";
import { openPglite } from "../../server/store/pglite.js";
import { openPostgres } from "../../server/store/postgres.js";
import { replayOf } from "../replay/open-replay.js";
import { follow } from "./index-chain.js";

const [folder, place] = process.argv.slice(2) as [string, string];
const database = place.startsWith("postgres") ? openPostgres(place) : await openPglite(place);
const lite = replayOf(folder);
const { last } = await lite.getMasterchainInfo();
const { follower, reaches } = follow(database, lite, {
  limits: { blocks: 4, rows: 10_000 },
  onStored: (seqno) => writeSync(1, `stored ${seqno}\n`),
});
await reaches(last.seqno);
await follower.close();
await database.close();
writeSync(1, "done\n");
process.exit(0);
