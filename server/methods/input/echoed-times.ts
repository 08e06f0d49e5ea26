type Times = { start_utime?: number | undefined; end_utime?: number | undefined };

/** The given bounds of a list, repeated in answers. */
export function echoedTimes({ start_utime, end_utime }: Times): Times {
  return {
    ...(start_utime !== undefined && { start_utime }),
    ...(end_utime !== undefined && { end_utime }),
  };
}
