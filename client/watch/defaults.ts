/** Without a message for this long a connection counts as lost: subscriptions receive a heartbeat every ten seconds. */
export const silenceMs = 25_000;
/** Events that may wait for the loop; the service sends no more until half of them are acknowledged. */
export const defaultWindow = 1000;
