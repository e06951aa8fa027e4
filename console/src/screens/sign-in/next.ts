/** Returns the path in the console that a sign-in leads to. Another site is never one: a path begins with one slash. */
export const nextPath = (given: string | undefined): string => (given !== undefined && /^\/(?![/\\])/.test(given) ? given : '/');
