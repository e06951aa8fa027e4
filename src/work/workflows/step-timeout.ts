const hourMs = 3_600_000;
const defaultTimeoutHours = 168;

/** Until when a program has time for a step that begins now: a week, where it does not say. */
export function timeoutOf({ timeoutHours: hours }: Readonly<Record<string, unknown>>, now: Date): string {
  return new Date(now.getTime() + (typeof hours === 'number' ? hours : defaultTimeoutHours) * hourMs).toISOString();
}
