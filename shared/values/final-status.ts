/** Whether a status of a message does not change any more, unless the chain is reverted or a dropped message is sent again. */
export function isFinalStatus(status: string): boolean {
  return /^(?:completed|expired|dropped)$/.test(status);
}
