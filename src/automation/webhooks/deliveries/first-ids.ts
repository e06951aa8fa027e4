// Ids of events are made a moment before the time they carry is compared: the walk over ids begins a little earlier.
export const idSlackMs = 3_600_000;
export const hexTime = (ms: number) => ms.toString(16).padStart(12, '0');

/** The smallest id that what is made from a time on may have (UUIDv7: milliseconds first). */
export function firstIdAt(ms: number): string {
  const hex = hexTime(ms);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The smallest id that a delivery of an event may have; the event's own id says when that was made. */
export function firstIdFor(eventId: string): string {
  const ms = /^evt_[0-9a-f]{12}/.test(eventId) ? Number.parseInt(eventId.slice(4, 16), 16) : 0;
  return firstIdAt(Math.max(0, ms - idSlackMs));
}
