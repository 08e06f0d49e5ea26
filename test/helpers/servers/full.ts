// The whole request path over one cached method that costs nothing itself.
import { z } from "zod";
import { bind } from "../../../server/rpc/bind.js";
import { defineMethod } from "../../../shared/methods/define.js";
import { accountAddress, int32 } from "../../../shared/schema/v2/params.js";
import { report } from "./process.js";
import { address, methodName, record } from "./record.js";
import { benchConfig, serve } from "./serve.js";

const definitions = {
  [methodName]: defineMethod({
    summary: "A cached record.",
    group: "Bench",
    params: z.object({ address: accountAddress, seqno: int32({ atLeast: 1 }).optional() }),
    result: z.unknown(),
    verbs: ["GET", "POST"],
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    examples: [{ params: { address }, result: record }],
  }),
};

const config = benchConfig();
const implementations = { [methodName]: async () => record };
const methods = bind(definitions, implementations, config.network);
report(await serve(methods, { current: "block 1" }, config));
