// Takes the given lock, reports it, and holds it until the process is killed.
import { FileLock } from "../../server/os/file-lock.js";

await FileLock.take(process.argv[2]!).then(
  () => console.log("taken"),
  (error: Error) => console.log(`refused: ${error.message}`),
);
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
