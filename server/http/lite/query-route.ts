import type { IncomingMessage } from "node:http";
import { JsonBytes } from "../../../shared/methods/json-text.js";
import { maxLiteQuery } from "../../../shared/methods/lite.js";
import { ServiceError } from "../../errors.js";
import { statusOf } from "../../rpc/dispatch.js";
import { v2Answer } from "../../rpc/json-rpc/v2-envelope.js";
import { admitWithBytes, chargeCost } from "../requests/admit.js";
import { checkMediaType } from "../requests/body.js";
import { noteFailure } from "../rest.js";
import type { CallDeps, Handle, Route } from "../routes.js";
import { mirrorPath } from "./mirror/functions.js";
import { answerBytes, queryMethod, queryParams } from "./query-call.js";

const octets = "application/octet-stream";

/** `POST /api/lite/v1`: the bytes of a liteserver's query, answered with bytes. Errors of the call are JSON. */
export function liteQueryRoute(deps: CallDeps): [path: string, route: Route] {
  const maxBodyBytes = Math.min(deps.maxBodyBytes, maxLiteQuery);
  const handle: Handle = async (exchange) => {
    const params = queryParams(await admitWithBytes(exchange, { ...deps, maxBodyBytes }, checkOctets));
    await chargeCost(exchange, deps.access, deps.rpc.callPoints({ method: queryMethod, params }));
    const outcome = await deps.rpc.call(queryMethod, params, exchange);
    noteFailure(exchange, outcome);
    const answer = answerBytes(outcome);
    if (answer instanceof ServiceError) await exchange.send(statusOf(outcome, "v2"), v2Answer(outcome, "v2"));
    else await exchange.send(200, new JsonBytes(answer), octets);
  };
  return [mirrorPath, { method: queryMethod, surface: "v2", handlers: { POST: handle } }];
}

function checkOctets(request: IncomingMessage): void {
  checkMediaType(request);
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== octets)
    throw new ServiceError("wrong-media-type", `the body of a liteserver's query is ${octets}`);
}
