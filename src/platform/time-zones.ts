/**
 * A zone as the IANA time zone database spells it; undefined for what it does not name. Every name and alias is taken and
 * kept as it is: who says `Asia/Kolkata` is not told `Asia/Calcutta`. Offsets such as `+01:00` name no zone, nor do the
 * short names (`PST`, `IST`) that `Intl` takes beside those of the database.
 */
export function timeZoneName(given: string): string | undefined {
  try {
    const name = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(given).timeZoneId;
    // A time with an offset or a zone in brackets would do as well; what it names is then not what was given.
    return /^[a-z]/i.test(given) && name.toLowerCase() === given.toLowerCase() ? name : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
