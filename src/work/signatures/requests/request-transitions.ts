import { record } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { signatureExpired, signatureFailed, signatureVoided } from './events.ts';
import { requestEventData } from './present.ts';
import * as queries from './queries.ts';
import type { RequestRow } from './queries.ts';
import { recipientInside } from './permission.ts';
import * as signerQueries from './signer-queries.ts';
import { type Move, moves } from './states.ts';
import { notifySigners } from './notify-job.ts';
import { endedMail } from './request-texts.ts';

type MoveDetails = { step?: string; error?: string; reason?: string };

/** Changes the status of a request. Returns false if the current status does not allow the change. The caller must hold the lock of the request. */
export async function move(
  scope: Scope,
  request: Pick<RequestRow, 'id'>,
  how: Move,
  { step, error, reason }: MoveDetails = {},
): Promise<boolean> {
  const { from, to } = moves[how];
  const ended = to === 'completed' || to === 'declined' || to === 'expired' || to === 'voided' || to === 'failed';
  const moved = await scope.db.first(queries.moveRequest, {
    team: scope.team,
    id: request.id,
    from,
    to,
    step: step ?? null,
    error: error ?? null,
    reason: reason ?? null,
    ended,
    at: scope.now,
  });
  if (moved && ended) scope.db.send(signerQueries.endReminders, { team: scope.team, request: request.id });
  return moved !== undefined;
}

/** Notifies the requester of the end of a request. */
export async function notifyRequester(
  scope: Scope,
  request: RequestRow,
  how: 'completed' | 'declined' | 'expired' | 'failed',
  more: { by?: string; reason?: string } = {},
): Promise<void> {
  const requester = await recipientInside(scope, request, request.requested_by);
  if (!requester) return;
  const mail = endedMail(requester.locale, request.id, { what: request.title, how, ...more });
  await queueMail(scope.db, { ...mail, to: requester.email, team: scope.team, budgeted: true, lowPriority: true });
}

/** Expires a request. Returns false if the request has ended or is being sealed. The caller must hold the lock of the request. */
export async function expire(scope: Scope, request: RequestRow): Promise<boolean> {
  if (!(await move(scope, request, 'expire'))) return false;
  await record(scope, signatureExpired, request.id, requestEventData(request), request.barred);
  notifySigners(scope, request.id, 'expired');
  await notifyRequester(scope, request, 'expired');
  return true;
}

/** Voids a request. Returns false if the request has ended or is being sealed. The caller must hold the lock of the request. */
export async function takeBack(scope: Scope, request: RequestRow, reason: string | undefined): Promise<boolean> {
  if (!(await move(scope, request, 'void', reason === undefined ? {} : { reason }))) return false;
  const said = reason === undefined ? {} : { reason };
  await record(scope, signatureVoided, request.id, { ...requestEventData(request), ...said }, request.barred);
  notifySigners(scope, request.id, 'voided');
  return true;
}

/** Fails a request with the step, the error and the document that caused it. The caller must hold the lock of the request. */
export async function fail(
  scope: Scope,
  request: RequestRow,
  { step, error, place }: { step: string; error: string; place?: number | undefined },
): Promise<boolean> {
  if (!(await move(scope, request, 'fail', { step, error }))) return false;
  const document = request.documents.find((one) => one.place === place);
  if (document) scope.db.send(queries.setDocumentError, { team: scope.team, request: request.id, place: document.place, error });
  const about = { ...requestEventData(request), step, error, ...(document ? { failedDocumentId: document.id } : {}) };
  await record(scope, signatureFailed, request.id, about, request.barred);
  const isNamed = document !== undefined && request.documents.length > 1;
  await notifyRequester(scope, request, 'failed', { reason: isNamed ? `${document.title}: ${error}` : error });
  return true;
}
