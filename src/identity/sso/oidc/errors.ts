import { UnreachableProvider } from './providers.ts';

export class UnusableSubject extends Error {
  readonly code = 'ERR_SUBJECT';
}

export class OtherParty extends Error {
  readonly code = 'ERR_AUTHORIZED_PARTY';
}

export class UnreadableAnswer extends Error {
  readonly code = 'ERR_UNREADABLE';
}

export const isUnreachable = (error: unknown): boolean =>
  error instanceof UnreachableProvider || (error instanceof Error && error.cause instanceof UnreachableProvider);

/** Awaits the result of a protocol library. Errors without a known code, as for an invalid key, become {@link UnreadableAnswer}. */
export const judged = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => {
    const isKnownCause = reasonOf(cause) !== undefined || isUnreachable(cause);
    throw isKnownCause ? cause : new UnreadableAnswer('the response of the provider cannot be read', { cause });
  });

/** Returns the code of the protocol library for a rejected response. Undefined for an error of this service. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^(OAUTH|WWW|ERR_|UND_|E[A-Z]+$)/.test(error.code) ? error.code : undefined;
}
