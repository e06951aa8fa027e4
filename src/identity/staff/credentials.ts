import { beforeEnding, type Scope } from '../../platform/scope.ts';
import * as queries from './queries.ts';

/** Like `lockPersonCredentials` of accounts: call it before each change that ends or limits the credentials of a member of staff. */
export function lockStaffCredentials(scope: Scope, id: string): void {
  scope.db.send(queries.lockStaff, { staff: id });
  beforeEnding(scope, id);
}

/** Ends sessions of a member of staff: all, one, or all but one. */
export function endStaffSessions(scope: Scope, id: string, which: { session?: string; except?: string } = {}): Promise<{ id: string }[]> {
  lockStaffCredentials(scope, id);
  const { session = null, except = null } = which;
  return scope.db.all(queries.revokeSessions, { staff: id, session, except, at: scope.now });
}
