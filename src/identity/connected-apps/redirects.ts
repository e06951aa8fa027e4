// Redirect addresses of apps: only registered ones are allowed.
// See RFC 6749 section 3.1.2, RFC 8252 sections 7.1 and 7.3, and RFC 9700 section 2.1.

const maxLength = 500;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `com.example.app:/callback` or `editor://callback`: a private-use scheme of an app (RFC 8252 section 7.1). */
const privateUse = /^(?:[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:\/|[a-z][a-z\d+-]*:\/\/[a-z\d])/;
/** Schemes without a dot that belong to browsers, operating systems or the network, not to apps. */
const notPrivate =
  /^(?:https?|wss?|ftps?|sftp|ssh|smb|nfs|git|ldaps?|file|filesystem|blob|data|about|javascript|vbscript|view-source|resource|content|intent|android-app|mailto|tel|sms|shell|search|res|mk|jar|chrome|edge|moz|brave|opera|devtools|x-|ms-|search-|chrome-|moz-)/;

const isPrivateUse = (uri: string): boolean => privateUse.test(uri) && (/^[^:]*\./.test(uri) || !notPrivate.test(uri));

/** Parses a redirect address. Returns undefined if redirects to it are not allowed. */
function parsed(uri: string): URL | undefined {
  if (uri.length > maxLength || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('#') || uri.includes('\\')) return undefined;
  if (!/^https?:\/\//.test(uri) && !isPrivateUse(uri)) return undefined;
  const url = URL.parse(uri);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  if (!/^https?:$/.test(url.protocol)) return url;
  return url.protocol === 'https:' || loopback.has(url.hostname) ? url : undefined;
}

/** Whether an app may register this address: https, http on the user’s own machine, or a private-use scheme. */
export const mayBeNamed = (uri: string): boolean => parsed(uri) !== undefined;

/** Removes the port of an address on the user’s own machine, because apps there use any free port (RFC 8252 §7.3). */
function withoutPort(uri: string): string | undefined {
  const url = parsed(uri);
  if (url?.protocol !== 'http:') return undefined;
  return uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, '$1');
}

/** Whether redirects to this address are allowed: it equals a registered address, except for the port on the user’s own machine. */
export function isNamed(named: readonly string[], uri: string): boolean {
  if (!mayBeNamed(uri)) return false;
  if (named.includes(uri)) return true;
  const wanted = withoutPort(uri);
  return wanted !== undefined && named.some((one) => withoutPort(one) === wanted);
}

/** Adds the response members to the query of a redirect address. */
export function answerAt(uri: string, members: Record<string, string | undefined>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(members)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Returns the host of a redirect address for display, and whether it is the user’s own machine. For a private-use scheme, `host` is the scheme. */
export function placeOf(uri: string): { host: string; own: boolean } {
  const { protocol, hostname, host } = new URL(uri);
  if (!/^https?:$/.test(protocol)) return { host: protocol, own: true };
  return { host, own: loopback.has(hostname) };
}
