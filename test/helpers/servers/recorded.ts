// Answers `lite.query` from a file of recorded answers, and each other method with its recorded result: no work of its own
// between a client and its measurement.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { compressFromBytes } from "../../../server/http/answers/compress.js";
import { report } from "./process.js";
import { type Recorded, recordedReply } from "./recorded-answers.js";

const { file } = JSON.parse(process.env["BENCH_RECORDS"]!) as { file: string };
const recorded = JSON.parse(readFileSync(file, "utf8")) as Recorded;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on("data", (chunk) => chunks.push(chunk))
    .on("end", () => {
      const head = Number(request.url!.slice(1));
      const body = recordedReply(recorded, head, Buffer.concat(chunks).toString());
      const isLong = body.length >= compressFromBytes;
      response
        .writeHead(200, {
          "Content-Type": "application/json",
          ...(isLong && { "Content-Encoding": "gzip" }),
        })
        .end(isLong ? gzipSync(body, { level: 1 }) : body);
    });
});
server.listen(0, "127.0.0.1", () => {
  report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
