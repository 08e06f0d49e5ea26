// Entry of a process that answers calls, started by the supervisor of a service.
// Module state: the entry of a process.

import { useCompileCache } from "../compile-cache.js";

useCompileCache(process.env, process.argv);
await import("./worker-service.js");
