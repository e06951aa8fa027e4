import { membersByAddress } from '#teams';
import { inOrder } from '../../platform/database/together.ts';
import { recordAct } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Requests } from './context.ts';
import { signerAsked } from './events.ts';
import { giveLink, mailSigners } from './mail-signers.ts';
import { turnOf } from './policy.ts';
import type { RequestRow } from './queries.ts';
import { stillMayAsk, suspendRequest } from './right.ts';
import { bindMember, type SignerRow } from './signer-queries.ts';

/**
 * Writes to those whose turn it is and who were not written to, while whoever asks may still open the document to them; else the request
 * stands still. The caller holds the request.
 */
export async function askNext(context: Requests, scope: Scope, request: RequestRow, signers: readonly SignerRow[]): Promise<void> {
  const next = turnOf(signers).filter(({ sealed }) => sealed === null);
  if (next.length === 0 || request.suspended !== null) return;
  await bindMembers(scope, next);
  if (!(await stillMayAsk(scope, request, signers))) return suspendRequest(scope, request, 'right_lost');
  const asked = next.map((signer) => ({ signer, token: giveLink(context, scope, signer) }));
  await inOrder(
    asked.map(
      ({ signer }) =>
        () =>
          recordAct(scope, signerAsked, request.id, { signerId: signer.id }),
    ),
  );
  await mailSigners(context, scope, request, 'asked', asked);
}

/** Whoever has become a member of the team since they were named signs as that from now on. */
async function bindMembers({ db, team }: Scope, asked: readonly SignerRow[]): Promise<void> {
  const strangers = asked.filter(({ account_id: account }) => account === null);
  if (strangers.length === 0) return;
  for (const { id: account, email_key: key } of await db.all(membersByAddress, {
    team,
    keys: strangers.map(({ email_key: one }) => one),
  })) {
    const signer = strangers.find(({ email_key: one }) => one === key);
    if (signer) db.send(bindMember, { team, id: signer.id, account });
  }
}
