// Where a program may be answered (RFC 6749 §3.1.2, RFC 8252 §7.3, RFC 9700 §2.1): nothing but what it has named itself.

const mostLength = 500;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address as it would be answered at; nothing where no program may be answered there. */
function parsed(uri: string): URL | undefined {
  if (uri.length > mostLength || !/^https?:\/\/[\x21-\x7e]+$/.test(uri) || uri.includes('#') || uri.includes('\\')) return undefined;
  const url = URL.parse(uri);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  return url.protocol === 'https:' || loopback.has(url.hostname) ? url : undefined;
}

/** Whether a program may name this address: https, or http on the person's own machine. */
export const mayBeNamed = (uri: string): boolean => parsed(uri) !== undefined;

/** The address without its port, where it is on the person's own machine: programs there take whichever is free (RFC 8252 §7.3). */
function withoutPort(uri: string): string | undefined {
  const url = parsed(uri);
  if (url?.protocol !== 'http:') return undefined;
  return uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, '$1');
}

/** Whether a program that has named these addresses is answered at this one: letter by letter the same, but for the port on one's own machine. */
export function isNamed(named: readonly string[], uri: string): boolean {
  if (!mayBeNamed(uri)) return false;
  if (named.includes(uri)) return true;
  const wanted = withoutPort(uri);
  return wanted !== undefined && named.some((one) => withoutPort(one) === wanted);
}

/** The address with what the program is told, beside what it had in its query. */
export function answerAt(uri: string, members: Record<string, string | undefined>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(members)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** What a person is told of where a program is answered, and whether that is their own machine. */
export function placeOf(uri: string): { host: string; own: boolean } {
  const { hostname, host } = new URL(uri);
  return { host, own: loopback.has(hostname) };
}
