/** The paths that a sign-in may lead to. */
const allowed = /^\/(?:app|sign)\/./;
/** The page of a person's open tasks. */
export const homePath = '/app/tasks';
const maxLength = 500;

/**
 * The path that a browser opens after a sign-in, from the `next` parameter of an address: a page of this service, and nothing else.
 * The path is parsed as browsers parse it, so that `//host`, `/\host` and `/app/../` lead nowhere else.
 */
export function pathAfterSignIn(given: unknown): string {
  const origin = 'http://service.invalid';
  if (typeof given !== 'string' || given.length > maxLength || !given.startsWith('/') || !URL.canParse(given, origin)) return homePath;
  const url = new URL(given, origin);
  return url.origin === origin && allowed.test(url.pathname) ? `${url.pathname}${url.search}` : homePath;
}
