import { actorToday, documentReadableBy, type ReferredDocument } from '#documents';
import { managerContacts, memberContact } from '#teams';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { type Actor, isTeamManager, type Scope } from '../../../platform/scope.ts';
import { signatureSuspended } from './events.ts';
import { suspendedMail } from './request-texts.ts';
import * as queries from './queries.ts';
import type { RequestRow } from './queries.ts';
import type { SignerRow } from './signer-queries.ts';

/** Whether the actor may request signatures at all. An API client needs the scope `signatures:write`, whichever operation it uses. */
export const holdsScope = (actor: Actor): boolean => !('scopes' in actor) || actor.scopes.has('signatures:write');

/**
 * Whether the actor may share a document with signers. Requires write access. External signers also require the owner of the document, an
 * administrator, or an API client. API clients are created by administrators.
 */
export function mayAsk(actor: Actor, { gives, userId }: Pick<ReferredDocument, 'gives' | 'userId'>, outside: boolean): boolean {
  if (gives !== 'write' || !holdsScope(actor)) return false;
  return !outside || actor.type === 'client' || isTeamManager(actor) || (actor.type === 'user' && actor.id === userId);
}

type PermissionScope = Parameters<typeof documentReadableBy>[0];

/** Whether the requester may still share the document with these signers. Checks the current rights of the requester. */
export async function mayStillRequest(
  scope: PermissionScope,
  request: Pick<RequestRow, 'document_id' | 'requested_by'>,
  signers: readonly Pick<SignerRow, 'account_id' | 'status' | 'role'>[],
): Promise<boolean> {
  const [actor, document] = [
    await actorToday(scope, request.requested_by),
    await documentReadableBy(scope, request.requested_by, request.document_id),
  ];
  const outside = signers.some(({ account_id: account, status }) => account === null && status !== 'signed');
  return actor !== undefined && document !== undefined && mayAsk(actor, document, outside);
}

/** Whether a member cannot access the document of a request, because of a barrier or because the membership has ended. */
export async function isMemberExcluded(
  { db, team }: Pick<PermissionScope, 'team'> & { db: Pick<PermissionScope['db'], 'first'> },
  { document_id: document, barred }: Pick<RequestRow, 'document_id' | 'barred'>,
  { account_id: user }: Pick<SignerRow, 'account_id'>,
): Promise<boolean> {
  if (user === null) return false;
  if (!(await db.first(memberContact, { team, id: user }))) return true;
  return barred && (await db.first(queries.outsideOf, { team, document, user }))?.outside === true;
}

/**
 * Suspends a request and notifies its requester and the administrators. No one can sign until an authorized member resumes it. The caller must hold
 * the lock of the request.
 */
export async function suspendRequest(scope: Scope, request: RequestRow, why: 'right_lost' | 'signer_left'): Promise<void> {
  const { team, now: at } = scope;
  const [done] = await scope.db.all(queries.suspend, { team, id: request.id, why, at });
  if (!done) return;
  await recordAudit(scope, signatureSuspended, request.id, { reason: why });
  const managers = await scope.db.all(managerContacts, { team });
  const recipients = new Map<string, string>();
  for (const id of new Set([request.requested_by, ...managers.map((manager) => manager.id)])) {
    const recipient = await recipientInside(scope, request, id);
    if (recipient) recipients.set(recipient.email, recipient.locale);
  }
  for (const [to, locale] of recipients)
    await queueMail(scope.db, { ...suspendedMail(locale, { what: request.title, why }), to, team, budgeted: true, lowPriority: true });
}

/** Returns the contact of a member for emails about a request, or undefined if a barrier excludes the member. */
export async function recipientInside(
  scope: Pick<Scope, 'db' | 'team'>,
  request: Pick<RequestRow, 'document_id' | 'barred'>,
  id: string,
): Promise<{ email: string; locale: string } | undefined> {
  if (await isMemberExcluded(scope, request, { account_id: id })) return undefined;
  return scope.db.first(memberContact, { team: scope.team, id });
}
