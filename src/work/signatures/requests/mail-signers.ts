import { fullNameOf, issuingTeam } from '#teams';
import { newTeamToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';
import { linkPlace, type Requests } from './context.ts';
import { seenBy, titleOf } from './documents.ts';
import { requestOfSigner } from './due-queries.ts';
import { reminderDays } from './policy.ts';
import { findRequest, type RequestRow } from './queries.ts';
import { isMemberExcluded } from './permission.ts';
import * as queries from './signer-queries.ts';
import type { SignerRow } from './signer-queries.ts';
import type { SignerMailKind } from './signer-drafts.ts';
import { signerMail } from './signer-texts.ts';

const dayMs = 86_400_000;

/** Returns the time of the next automatic reminder when `reminders` of them were sent. Returns null after the last one. */
export function nextReminder(requestedAt: Date, reminders: number): Date | null {
  const days = reminderDays[reminders];
  return days === undefined ? null : new Date(requestedAt.getTime() + days * dayMs);
}

/** Creates a new link for a signer and stores it encrypted. The previous link becomes invalid. */
export function issueSignerLink({ links }: Requests, scope: Scope, signer: SignerRow): string {
  const token = newTeamToken(scope.team);
  const sealed = links.seal(token, linkPlace(signer.id));
  const remindAt = signer.role === 'copy' ? null : nextReminder(scope.now, 0);
  scope.db.send(queries.askSigner, { team: scope.team, id: signer.id, hash: tokenHash(token), sealed, remindAt, at: scope.now });
  return token;
}

/** Returns the token of the current link of a signer, or undefined if there is none. */
export const linkOf = ({ links }: Requests, { id, sealed }: Pick<SignerRow, 'id' | 'sealed'>): string | undefined =>
  sealed === null ? undefined : links.open(sealed, linkPlace(id)).toString();

/** Emails signers and copy recipients, each with their link. Skips excluded members and members who left the team. */
export async function mailSigners(
  { baseUrl }: Pick<Requests, 'baseUrl'>,
  scope: Scope,
  request: RequestRow,
  kind: SignerMailKind,
  to: readonly { signer: Pick<SignerRow, 'id' | 'email' | 'account_id' | 'locale'>; token: string }[],
): Promise<void> {
  if (to.length === 0) return;
  const { db, team } = scope;
  const issuer = await db.first(issuingTeam, { team });
  const name = await db.first(fullNameOf, { team, id: request.requested_by });
  const said = {
    team: issuer?.name ?? '',
    by: name?.name ?? issuer?.name ?? '',
    ...(request.message === null ? {} : { message: request.message }),
  };
  for (const { signer, token } of to) {
    if (await isMemberExcluded(scope, request, signer)) continue;
    const documents = seenBy(request.documents, signer.id);
    const about = {
      title: titleOf(documents),
      ...(documents.length > 1 ? { documents: documents.map(({ title }) => title) } : {}),
      until: timeInWords(request.expires_at, signer.locale, issuer?.time_zone ?? 'UTC'),
      url: `${baseUrl}/sign/${token}`,
    };
    await queueMail(db, {
      ...signerMail(signer.locale, kind, { ...said, ...about }),
      to: signer.email,
      team,
      budgeted: true,
      about: signer.id,
    });
  }
}

/**
 * Whether a queued email to a signer may still be sent. The email names the document and can wait for days. Returns true if `about` is not a signer.
 */
export const mayMailSigner =
  (database: Pick<Database, 'reader'>) =>
  async (team: string, about: string): Promise<boolean> => {
    const db = database.reader(team);
    const of = await db.first(requestOfSigner, { team, id: about });
    if (!of) return true;
    const request = await db.first(findRequest, { team, id: of.request_id });
    const signer = (await db.all(queries.signersOf, { team, request: of.request_id })).find(({ id }) => id === about);
    return request !== undefined && signer !== undefined && !(await isMemberExcluded({ db, team }, request, signer));
  };
