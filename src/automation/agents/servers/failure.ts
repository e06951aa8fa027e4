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

/** What a server says of where one signs in for it (RFC 9728 §5.1). */
export type Challenge = { resourceMetadataUrl?: URL; scope?: string };

/** A server elsewhere did not do what it was asked; `code` says why, and nothing of what it has answered. */
export class RemoteFailure extends Error {
  readonly code: Failure;
  readonly challenge: Challenge | undefined;
  constructor(code: Failure, challenge?: Challenge) {
    super(`the server did not answer as the protocol has it: ${code}`);
    this.code = code;
    this.challenge = challenge;
  }
}
