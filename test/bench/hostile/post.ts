import { request } from "node:http";
import { jsonBody } from "../../helpers/services/proxied-service.js";

/** As `fetch`, which takes long to send a megabyte. */
export function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method: "POST", headers: { ...jsonBody, ...headers } }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    })
      .on("error", reject)
      .end(body);
  });
}
