import { membersByAddress } from '#teams';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Requests } from './context.ts';
import { signerRequested } from './events.ts';
import { issueSignerLink, mailSigners } from './mail-signers.ts';
import { turnOf } from './policy.ts';
import type { RequestRow } from './queries.ts';
import { mayStillRequest, suspendRequest } from './permission.ts';
import { bindMember, type SignerRow } from './signer-queries.ts';

/**
 * Emails the signers whose turn it is and who have no link yet. Suspends the request if the requester may no longer share the document with them. The
 * caller must hold the lock of the request.
 */
export async function askNext(context: Requests, scope: Scope, request: RequestRow, signers: readonly SignerRow[]): Promise<void> {
  const waiting = turnOf(signers).filter(({ sealed }) => sealed === null);
  if (waiting.length === 0 || request.suspended !== null) return;
  // A barrier also excludes signers who have become members. So the accounts are updated before the permission check and the email.
  const next = await bindMembers(scope, waiting);
  const asNow = signers.map((signer) => next.find(({ id }) => id === signer.id) ?? signer);
  if (!(await mayStillRequest(scope, request, asNow))) return suspendRequest(scope, request, 'right_lost');
  const notified = next.map((signer) => ({ signer, token: issueSignerLink(context, scope, signer) }));
  await pipelined(
    notified.map(
      ({ signer }) =>
        () =>
          recordAudit(scope, signerRequested, request.id, { signerId: signer.id }),
    ),
  );
  await mailSigners(context, scope, request, 'requested', notified);
}

/** Links signers to the accounts of members who joined the team after the request, and returns the updated signers. */
async function bindMembers({ db, team }: Scope, signers: readonly SignerRow[]): Promise<SignerRow[]> {
  const keys = signers.flatMap(({ account_id: account, email_key: key }) => (account === null ? [key] : []));
  const members = keys.length === 0 ? [] : await db.all(membersByAddress, { team, keys });
  return signers.map((signer) => {
    const member = signer.account_id === null ? members.find(({ email_key: key }) => key === signer.email_key) : undefined;
    if (!member) return signer;
    db.send(bindMember, { team, id: signer.id, account: member.id });
    return { ...signer, account_id: member.id };
  });
}
