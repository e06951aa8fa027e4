import { membersByAddress } from '#teams';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { FieldError } from '../../../platform/problems.ts';
import { requireTurn } from './admission.ts';
import type { Requests } from './context.ts';
import { seenBy } from './documents.ts';
import { keepEvidence } from './evidence.ts';
import { signatureDelegated } from './events.ts';
import { signingProblems } from './problems.ts';
import type { Done } from './public-schemas.ts';
import { isOutside, mayStillRequest } from './permission.ts';
import { signerIdentity } from './sign.ts';
import * as signerQueries from './signer-queries.ts';
import { cleanPerson, creatorsFor, replaceSigner } from './signers.ts';
import { askNext } from './signing-order.ts';
import type { Visit } from './visit.ts';

const refuse = (errors: FieldError[]) =>
  signingProblems.delegate_invalid('You cannot delegate to this person. Choose a person who is neither a signer nor the requester.', {
    errors,
  });
const delegateError = (reason: string, rule: string) => refuse([{ name: 'email', pointer: '/email', reason, rule }]);

/**
 * Delegates the signature to another person, once. The old link becomes invalid, and the new signer gets a new link by email. Throws 403
 * `delegation_not_allowed`, 409 depending on the state, 410, or 422 `delegate_invalid`.
 */
export async function delegate(context: Requests, visit: Visit, given: { email: string; name: string }): Promise<Done> {
  await requireTurn(visit);
  const { scope, request, signer, signers } = visit;
  const { db, team } = scope;
  if (!request.allow_delegation || signer.delegated_email !== null)
    throw signingProblems.delegation_not_allowed(
      'The requester did not allow delegation, or the request was already delegated to you. Sign or decline yourself, or ask the requester.',
    );
  const person = cleanPerson(given, '', refuse);
  if (signers.some(({ email_key: key }) => key === person.email_key)) throw delegateError('is already a signer', 'unique');
  const account = (await db.all(membersByAddress, { team, keys: [person.email_key] }))[0]?.id ?? null;
  if (account !== null && (account === request.requested_by || account === request.created_by))
    throw delegateError('is the requester', 'requester');
  if (signer.role === 'approver' && account !== null && (await creatorsFor(scope, request, signer)).has(account))
    throw delegateError('is the creator of the document', 'maker');
  if (account !== null && (await isOutside(scope, seenBy(request.documents, signer.id), account)))
    throw delegateError('a barrier around the document excludes this member', 'barrier');
  const passed = { ...signer, account_id: account };
  if (!(await mayStillRequest(scope, request, [passed])))
    throw delegateError('is not a member of the team, and the requester may not name external signers', 'outside');
  const at = new Date(request.clock);
  const content = { ...signerIdentity(visit), delegatedTo: { name: person.name, email: person.email } };
  const evidenceSha256 = await keepEvidence(context, scope, request, { act: 'delegated', signer, at, content });
  replaceSigner(scope, { request: request.id, id: signer.id, delegatedBy: signer }, { ...person, account });
  await recordAudit(scope, signatureDelegated, request.id, { signerId: signer.id, evidenceSha256 });
  await askNext(context, scope, request, await db.all(signerQueries.signersOf, { team, request: request.id }));
  return { success: true, status: request.status };
}
