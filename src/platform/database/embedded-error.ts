/** Thrown if the embedded server cannot be used. The message states the cause and the next step. */
export class EmbeddedServerError extends Error {}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
