import { ServiceError } from "../../errors.js";
import type { Handle } from "../routes.js";

/** Refuses a plain request to a path of WebSockets. */
export const needsUpgrade: Handle = (exchange) => {
  exchange.addHeaders({ Upgrade: "websocket", Connection: "Upgrade" });
  throw new ServiceError("invalid-request", "Upgrade Required: this path speaks WebSocket", { status: 426 });
};
