// Many clients of a WebSocket server that read and forget, in a separate process.
import { WebSocket } from "ws";

const { url, count } = JSON.parse(process.env["BENCH_READERS"]!) as { url: string; count: number };
let open = 0;
for (let at = 0; at < count; at++)
  new WebSocket(url).on("open", () => {
    if (++open === count) process.send!("open");
  });
