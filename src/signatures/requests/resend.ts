import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAct } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Versioned } from '../../platform/versioned.ts';
import type { Requests } from './context.ts';
import { signerResent } from './events.ts';
import { held } from './lookup.ts';
import { linkOf, mailSigners } from './mail-signers.ts';
import { requireGoing, requireOut } from './manage.ts';
import { presentRequest } from './present.ts';
import { requestProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { RequestInFull } from './schemas.ts';
import * as signerQueries from './signer-queries.ts';

const betweenMs = 10 * 60_000;
const dayMs = 86_400_000;
/** So often in a row, without a day between. */
const most = 5;

/**
 * Mails the invitation to one signer again, with the link that they have: it was lost, or their mailbox was full. Errors: 403, 404, 409
 * `signer_not_asked`, `resent_recently`, `request_suspended` and those of the state.
 */
export async function resendToSigner(
  context: Requests,
  scope: Scope,
  { id, signerId }: { id: string; signerId: string },
): Promise<Versioned<RequestInFull>> {
  const { team, now } = scope;
  const request = await held(scope, id);
  requireOut(request);
  requireGoing(request);
  const signers = await scope.db.all(signerQueries.signersOf, { team, request: request.id });
  const signer = signers.find((one) => one.id === pathId(signerId, 'signer'));
  if (!signer) throw notFound('signer');
  const token = signer.status === 'pending' || signer.status === 'viewed' ? linkOf(context, signer) : undefined;
  if (token === undefined)
    throw requestProblems.signer_not_asked('It is not this signer’s turn, or they have signed: no mail is theirs now.');
  const count = countOf(signer, now.getTime());
  scope.db.send(signerQueries.noteResent, { team, id: signer.id, count, at: now });
  scope.db.send(queries.touchRequest, { team, id: request.id, at: now });
  await recordAct(scope, signerResent, request.id, { signerId: signer.id, time: count });
  await mailSigners(context, scope, request, 'asked', [{ signer, token }]);
  return presentRequest(scope, request.id);
}

/** Which time in a row it is. Errors: 409 `resent_recently`. */
function countOf({ sent_at: sent, reminded_at: reminded, resent, resent_at: again }: signerQueries.SignerRow, now: number): number {
  const at = (time: string | null) => (time === null ? 0 : Date.parse(time));
  const inRow = at(again) > now - dayMs ? resent : 0;
  const free = Math.max(at(sent), at(reminded), at(again)) + betweenMs;
  const freeAt = inRow >= most ? Math.max(free, at(again) + dayMs) : free;
  if (freeAt > now)
    throw requestProblems.resent_recently(
      'They were written to a short time ago, or five times within a day. Wait, or correct the address.',
      {
        headers: { 'retry-after': String(Math.ceil((freeAt - now) / 1_000)) },
      },
    );
  return inRow + 1;
}
