/** Whether a message status is final, unless the chain is reverted or a dropped message is sent again. */
export function isFinalStatus(status: string): boolean {
  return /^(?:completed|expired|dropped)$/.test(status);
}
