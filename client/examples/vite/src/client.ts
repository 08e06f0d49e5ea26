import { createClient, webSocket } from "tonwire";

const url = new URL("/jsonRPC", import.meta.env["VITE_TON_URL"] ?? "http://127.0.0.1:8081");
url.protocol = url.protocol.replace("http", "ws");

export const client = createClient({ transport: webSocket(String(url)) });
