// Takes the lock it is told to, says so, and keeps it until it is ended.
import { FileLock } from "../../server/os/file-lock.js";

await FileLock.take(process.argv[2]!).then(
  () => console.log("taken"),
  (error: Error) => console.log(`refused: ${error.message}`),
);
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
