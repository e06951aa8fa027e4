import { actorToday, readableDocument, type ReferredDocument } from '#documents';
import { managerContacts, memberContact } from '#teams';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { type Actor, isTeamManager, type Scope } from '../../../platform/scope.ts';
import { type RequestDocument, seenBy } from './documents.ts';
import { signatureSuspended } from './events.ts';
import { requestProblems } from './problems.ts';
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

type PermissionScope = Parameters<typeof readableDocument>[0];
export type SuspensionReason = NonNullable<RequestRow['suspended']>;

/** Whether the requester may still share the document with these signers. Checks the current rights of the requester. */
export async function mayStillRequest(
  scope: PermissionScope,
  request: Pick<RequestRow, 'documents' | 'requested_by'>,
  signers: readonly Pick<SignerRow, 'account_id' | 'status' | 'role'>[],
): Promise<boolean> {
  const actor = await actorToday(scope, request.requested_by);
  return actor !== undefined && mayAskAll({ ...scope, actor }, request, outsideSign(signers));
}

/** Whether a signer who is not a member of the team has yet to sign. */
export const outsideSign = (signers: readonly Pick<SignerRow, 'account_id' | 'status'>[]): boolean =>
  signers.some(({ account_id: account, status }) => account === null && status !== 'signed');

/** Whether the actor of the scope may share all documents of a request with signers. */
export async function mayAskAll(scope: PermissionScope, { documents }: Pick<RequestRow, 'documents'>, outside: boolean): Promise<boolean> {
  for (const { id } of documents) {
    const document = await readableDocument(scope, id);
    if (!document || !mayAsk(scope.actor, document, outside)) return false;
  }
  return true;
}

/** Whether a barrier around one of these documents excludes a member. */
export const isOutside = async (
  { db, team }: Pick<PermissionScope, 'team'> & { db: Pick<PermissionScope['db'], 'first'> },
  documents: readonly Pick<RequestDocument, 'id'>[],
  user: string,
): Promise<boolean> => (await db.first(queries.outsideOf, { team, documents: documents.map(({ id }) => id), user }))?.outside === true;

/**
 * Whether a member cannot access the documents of a request, because of a barrier or because the membership has ended. For a signer, with `id`, these
 * are the documents that the signer sees.
 */
export async function isMemberExcluded(
  scope: Pick<PermissionScope, 'team'> & { db: Pick<PermissionScope['db'], 'first'> },
  { documents, barred }: Pick<RequestRow, 'documents' | 'barred'>,
  { account_id: user, id }: Pick<SignerRow, 'account_id'> & { id?: string },
): Promise<boolean> {
  if (user === null) return false;
  if (!(await scope.db.first(memberContact, { team: scope.team, id: user }))) return true;
  return barred && isOutside(scope, id === undefined ? documents : seenBy(documents, id), user);
}

/** Requires that no barrier excludes a pending signer from a document of that signer. Throws 409 `signer_excluded`. */
export async function refuseExcluded(scope: Scope, request: RequestRow, signers: readonly SignerRow[]): Promise<void> {
  for (const signer of signers)
    if (signer.role !== 'copy' && signer.status !== 'signed' && (await isMemberExcluded(scope, request, signer)))
      throw requestProblems.signer_excluded(
        `${signer.name} has left the team, is suspended, or is excluded by a barrier around a document. Add the member to the barrier, correct the signer, or void the request.`,
      );
}

/**
 * Suspends a request and notifies its requester and the administrators. No one can sign until an authorized member resumes it. The caller must hold
 * the lock of the request.
 */
export async function suspendRequest(scope: Scope, request: RequestRow, why: SuspensionReason): Promise<void> {
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
    await queueMail(scope.db, {
      ...suspendedMail(locale, request.id, { what: request.title, why }),
      to,
      team,
      budgeted: true,
      lowPriority: true,
    });
}

/** Returns the contact of a member for emails about a request, or undefined if a barrier excludes the member. */
export async function recipientInside(
  scope: Pick<Scope, 'db' | 'team'>,
  request: Pick<RequestRow, 'documents' | 'barred'>,
  id: string,
): Promise<{ email: string; locale: string } | undefined> {
  if (await isMemberExcluded(scope, request, { account_id: id })) return undefined;
  return scope.db.first(memberContact, { team: scope.team, id });
}
