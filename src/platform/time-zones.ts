/**
 * Returns the time zone name in the spelling of the IANA database, or undefined for an unknown name.
 * Aliases stay as they are: `Asia/Kolkata` does not become `Asia/Calcutta`. Offsets such as `+01:00` and the additional short names of `Intl`
 * (`PST`, `IST`) are not accepted.
 */
export function timeZoneName(given: string): string | undefined {
  try {
    const name = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(given).timeZoneId;
    // The parser also accepts a time with an offset or a zone in brackets. The comparison rejects these.
    return /^[a-z]/i.test(given) && name.toLowerCase() === given.toLowerCase() ? name : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
