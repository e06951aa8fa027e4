/** Causes can form a cycle. */
const maxCauses = 8;

/** Returns an error and its causes, the outermost first. */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < maxCauses && !chain.includes(next); next = next.cause) chain.push(next);
  return chain;
}

/** Returns the code of an error or of its cause, such as `ECONNREFUSED` or an SQLSTATE; empty if none has a code. */
export const causeCode = (error: unknown): string =>
  causesOf(error).flatMap((cause) => ('code' in cause && typeof cause.code === 'string' ? [cause.code] : []))[0] ?? '';

/** Returns the messages of an error and its causes in one line. */
export const reasonOf = (error: unknown): string =>
  causesOf(error)
    .map(({ message }) => message)
    .join('; because: ') || String(error);
