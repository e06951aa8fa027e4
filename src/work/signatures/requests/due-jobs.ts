import type { Database } from '../../../platform/database/database.ts';
import type { DueWork } from '../../../platform/jobs/due-jobs.ts';
import type { Requests } from './context.ts';
import * as due from './due-queries.ts';
import { expire } from './request-transitions.ts';
import { expiryFailed, reminderSetAside } from './events.ts';
import { remind } from './manage.ts';
import * as queries from './queries.ts';
import { isMemberExcluded } from './permission.ts';
import { signersOf } from './signer-queries.ts';

/** Expires requests after their expiry. */
export const expiries: DueWork = {
  job: 'signature-expiry',
  due: due.dueExpiries,
  async run(scope, { id }) {
    const request = await scope.db.locked(queries.lockRequest, { team: scope.team, id }, () =>
      scope.db.first(queries.findRequest, { team: scope.team, id }),
    );
    if (request && Date.parse(request.expires_at) < scope.now.getTime()) await expire(scope, request);
  },
  setAside: { act: expiryFailed, target: ({ id }) => id },
};

/** Reminds signers who have not signed. */
export const reminders = (context: Requests): DueWork => ({
  job: 'signature-reminder',
  due: due.dueReminders,
  async run(scope, { id }) {
    const { team } = scope;
    const of = await scope.db.first(due.requestOfSigner, { team, id });
    if (!of) return;
    const request = await scope.db.locked(queries.lockRequest, { team, id: of.request_id }, () =>
      scope.db.first(queries.findRequest, { team, id: of.request_id }),
    );
    const signers = await scope.db.all(signersOf, { team, request: of.request_id });
    const signer = signers.find((one) => one.id === id);
    if (!request || !signer) return;
    const waits = request.status === 'pending' && request.suspended === null && !request.paused;
    const isWaiting = waits && (signer.status === 'pending' || signer.status === 'viewed');
    // An excluded signer gets no emails, so the reminder is postponed until the barrier no longer excludes the signer.
    if (isWaiting && !(await isMemberExcluded(scope, request, signer))) await remind(context, scope, request, [signer]);
    else scope.db.send(due.postponeReminder, { team, id, at: new Date(scope.now.getTime() + 86_400_000) });
  },
  setAside: { act: reminderSetAside, target: ({ id }) => id },
});

export async function dropSessions(database: Database, now: Date): Promise<void> {
  await database.asSystem('drop sessions of signers', async (tx) => tx.send(due.dropOldSessions, { now }));
}
