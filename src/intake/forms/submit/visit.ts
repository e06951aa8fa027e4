import type { Scope } from '../../../platform/scope.ts';
import type { Channel } from '../schemas.ts';
import type { Visited } from '../visitor.ts';

/** Somebody at an interface: what the link leads to, and the session that they have with it. */
export type Visit = { scope: Scope; visited: Visited; channel: Channel; session: string | undefined };

/** What came of a submission. `token` opens the session that was begun with it; `held`: it waits for a mailed link to be followed. */
export type Submitted = {
  submissionId: string;
  hasSession: boolean;
  message: string;
  recordId?: string;
  token?: string;
  awaitsConfirmation?: true;
};
