/** Longer than the idle timeout of common proxies, so that they never reuse a connection that is being closed. */
export const keepAliveTimeoutMs = 75_000;
