/** Why the embedded server cannot be used, in one sentence that says what to do. */
export class EmbeddedServerError extends Error {}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
