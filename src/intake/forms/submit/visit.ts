import type { FieldError } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Channel } from '../schemas.ts';
import type { Visited } from '../visitor.ts';

/** A visitor at a form: the target of the link, and the session. */
export type Visit = { scope: Scope; visited: Visited; channel: Channel; session: string | undefined };

/**
 * The result of a submission. `token` is the secret of a new session. `awaitsConfirmation` means that the sender must open a mailed link. `ignored` has
 * an error for each answer without a field.
 */
export type Submitted = {
  submissionId: string;
  hasSession: boolean;
  message: string;
  recordId?: string;
  token?: string;
  awaitsConfirmation?: true;
  ignored?: FieldError[];
};
