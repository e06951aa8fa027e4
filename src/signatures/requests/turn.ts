import { inOrder } from '../../platform/database/together.ts';
import { recordAct } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Requests } from './context.ts';
import { signerAsked } from './events.ts';
import { giveLink, mailSigners } from './mail-signers.ts';
import { turnOf } from './policy.ts';
import type { RequestRow } from './queries.ts';
import { stillMayAsk, suspendRequest } from './right.ts';
import type { SignerRow } from './signer-queries.ts';

/**
 * Writes to those whose turn it is and who were not written to, while whoever asks may still open the document to them; else the request
 * stands still. The caller holds the request.
 */
export async function askNext(context: Requests, scope: Scope, request: RequestRow, signers: readonly SignerRow[]): Promise<void> {
  const next = turnOf(signers).filter(({ sealed }) => sealed === null);
  if (next.length === 0 || request.suspended !== null) return;
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
