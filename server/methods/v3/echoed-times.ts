type Times = { start_utime?: number | undefined; end_utime?: number | undefined };

/** The bounds of a list that were sent, as answers repeat them. */
export function echoedTimes({ start_utime, end_utime }: Times): Times {
  return {
    ...(start_utime !== undefined && { start_utime }),
    ...(end_utime !== undefined && { end_utime }),
  };
}
