// A process that indexes a recorded chain into the given database, and kills itself after it has committed the given
// number of batches, if there are that many.
import { openPglite } from "../../server/store/pglite/pglite.js";
import { replayOf } from "../helpers/chain/open-replay.js";
import { follow } from "../helpers/index/index-chain.js";
import { openPatiently } from "../helpers/store/postgres.js";

const [folder, place, batches] = process.argv.slice(2) as [string, string, string];
const database = place.startsWith("postgres") ? openPatiently(place) : await openPglite(place);
const lite = replayOf(folder);
const { last } = await lite.getMasterchainInfo();
let left = Number(batches);
const { follower, reaches } = follow(database, lite, {
  // Short chains as well as long ones have enough batches for all kills.
  limits: { blocks: Math.ceil(last.seqno / 25), rows: 10_000 },
  onStored() {
    // While the next batch is on its way, each time at another point of that way.
    if (--left === 0) setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(batches));
  },
});
await reaches(last.seqno);
await follower.close();
await database.close();
process.exit(0);
