import { Type } from 'typebox';
import { defineJob, enqueue, type JobAttempt } from '../../../platform/jobs/job.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Working } from './context.ts';
import { linkOf, mailSigners } from './mail-signers.ts';
import * as queries from './queries.ts';
import { signersOf } from './signer-queries.ts';

type EndedKind = 'voided' | 'declined' | 'expired';

/** Notifies the signers who got a link that the request has ended. Skips the signer who declined. */
const notifySignersJob = defineJob(
  'signature-tell',
  Type.Object({ request: Type.String(), kind: Type.Enum(['voided', 'declined', 'expired']) }),
  { counted: false },
  async (deps: Working, { request: id, kind }, { team }: JobAttempt) => {
    if (team === undefined) return;
    await deps.database.inTeam(team, async (db) => {
      const scope = deps.scopeOf(db, team, 'signature-tell');
      const request = await db.first(queries.findRequest, { team, id });
      if (!request) return;
      const signers = await db.all(signersOf, { team, request: id });
      const recipients = signers.flatMap((signer) => {
        const token = signer.status === 'declined' ? undefined : linkOf(deps.context, signer);
        return token === undefined ? [] : [{ signer, token }];
      });
      await mailSigners(deps.context, scope, request, kind, recipients);
    });
  },
);

/** Enqueues the notification of the signers. The job runs after the commit. */
export function notifySigners(scope: Pick<Scope, 'db' | 'team'>, request: string, kind: EndedKind): void {
  enqueue(scope, notifySignersJob, { request, kind });
}

export { notifySignersJob };
