// Identifiers are created slightly before the compared times, so a search by identifier starts this much earlier.
export const idSlackMs = 3_600_000;
export const hexTime = (ms: number) => ms.toString(16).padStart(12, '0');

/** The smallest identifier of a row created at or after a time (UUIDv7 begins with milliseconds). */
export function firstIdAt(ms: number): string {
  const hex = hexTime(ms);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The smallest identifier of a delivery of an event, from the time in the event’s identifier. */
export function firstIdFor(eventId: string): string {
  const ms = /^evt_[0-9a-f]{12}/.test(eventId) ? Number.parseInt(eventId.slice(4, 16), 16) : 0;
  return firstIdAt(Math.max(0, ms - idSlackMs));
}
