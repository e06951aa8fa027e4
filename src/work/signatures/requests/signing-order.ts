import { membersByAddress } from '#teams';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Requests } from './context.ts';
import { signerRequested } from './events.ts';
import { giveLink, mailSigners } from './mail-signers.ts';
import { turnOf } from './policy.ts';
import type { RequestRow } from './queries.ts';
import { stillMayAsk, suspendRequest } from './permission.ts';
import { bindMember, type SignerRow } from './signer-queries.ts';

/**
 * Writes to those whose turn it is and who were not written to, while whoever asks may still open the document to them; else the request
 * stands still. The caller holds the request.
 */
export async function askNext(context: Requests, scope: Scope, request: RequestRow, signers: readonly SignerRow[]): Promise<void> {
  const waiting = turnOf(signers).filter(({ sealed }) => sealed === null);
  if (waiting.length === 0 || request.suspended !== null) return;
  // A barrier keeps out also whoever has become a member: they are mailed, and the right is judged, as what they are by now.
  const next = await bindMembers(scope, waiting);
  const asNow = signers.map((signer) => next.find(({ id }) => id === signer.id) ?? signer);
  if (!(await stillMayAsk(scope, request, asNow))) return suspendRequest(scope, request, 'right_lost');
  const notified = next.map((signer) => ({ signer, token: giveLink(context, scope, signer) }));
  await pipelined(
    notified.map(
      ({ signer }) =>
        () =>
          recordAudit(scope, signerRequested, request.id, { signerId: signer.id }),
    ),
  );
  await mailSigners(context, scope, request, 'asked', notified);
}

/** Whoever has become a member of the team since they were named signs as that from now on: gives all who are asked, as they are then. */
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
