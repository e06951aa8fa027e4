export const failures = [
  'address_not_allowed',
  'unreachable',
  'timeout',
  'redirected',
  'refused',
  'sign_in_needed',
  'answer_too_large',
  'too_many_requests',
  'bad_answer',
] as const;
export type Failure = (typeof failures)[number];

/** The challenge of a server that requires a sign-in (RFC 9728 §5.1). */
export type Challenge = { resourceMetadataUrl?: URL; scope?: string };

/** Thrown if a request to an external server failed. `code` has the reason; nothing of the response is included. */
export class RemoteFailure extends Error {
  readonly code: Failure;
  readonly challenge: Challenge | undefined;
  constructor(code: Failure, challenge?: Challenge) {
    super(`the server did not respond according to the protocol: ${code}`);
    this.code = code;
    this.challenge = challenge;
  }
}
