const hourMs = 3_600_000;
const defaultTimeoutHours = 168;

/** Returns the deadline of an automatic step that begins now. The default is one week. */
export function timeoutOf({ timeoutHours: hours }: Readonly<Record<string, unknown>>, now: Date): string {
  return new Date(now.getTime() + (typeof hours === 'number' ? hours : defaultTimeoutHours) * hourMs).toISOString();
}
