/** The paths that a sign-in may lead to. */
const allowed = /^\/(?:(?:app|tasks)(?:\/.|$)|sign\/.)/;
/** The console. */
export const homePath = '/app';
/** The page with the open tasks of a person, for browsers without scripts. */
export const tasksPath = '/tasks';
const maxLength = 500;

/**
 * Returns the path that a browser opens after a sign-in, from the parameter `next`. Only pages of this service are allowed.
 * The path is parsed as browsers parse it, so that `//host`, `/\host` and `/app/../` cannot lead to another site.
 */
export function pathAfterSignIn(given: unknown): string {
  const origin = 'http://service.invalid';
  if (typeof given !== 'string' || given.length > maxLength || !given.startsWith('/') || !URL.canParse(given, origin)) return homePath;
  const url = new URL(given, origin);
  return url.origin === origin && allowed.test(url.pathname) ? `${url.pathname}${url.search}` : homePath;
}
