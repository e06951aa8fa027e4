import { randomUUIDv7 } from 'node:crypto';
import { rows, thing } from '../access/rows.ts';
import { askToSign, outToSign, pdfDocument, signatures, unprepared } from '../signatures.ts';
import { type Acts, type ActWorld, on } from '../suites/acts/kit.ts';

/* Access rows and actions of signature requests for the walks. */

/** A constant, so that both calls of a pair have the same body. */
const later = new Date(Date.now() + 90 * 86_400_000).toISOString();
const aMember = (email: string) => [{ email, name: 'A member' }];
const stranger = () => [{ email: `${randomUUIDv7()}@example.org`, name: 'A stranger' }];
/** The requester, the owner of the document and administrators manage a request. An API client manages only its own requests. */
const managed = 'y y y 404 404 · 404 403 403 403 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const signatureAccess = rows(signatures, {
  'GET /': thing('signatureRequest', 's s s u u · u 403 403 s 403 403'),
  'GET / behind a barrier': thing('barredRequest', 'u u s u u · u 403 403 u 403 403'),
  'POST /': thing('document', 'y y y y 403 · 422 403 403 y 403 403', ({ people }, { id }) => ({
    documentId: id,
    signers: aMember(people.member.email),
  })),
  'POST / of people from outside': thing('document', 'y y y 403 403 · 422 403 403 y 403 403', (_, { id }) => ({
    documentId: id,
    signers: stranger(),
  })),
  'GET /{id}': thing('signatureRequest', 'y y y 404 404 · 404 403 403 y 403 403'),
  'GET /{id} behind a barrier': thing('barredRequest', '404 404 y 404 404 · 404 403 403 404 403 403'),
  'GET /{id}/evidence': thing('signatureRequest', managed),
  'POST /{id}/remind': thing('signatureRequest', managed, () => ({})),
  'POST /{id}/signers/{signerId}/resend': thing('signatureRequest', managed, () => ({})),
  'POST /{id}/extend': thing('signatureRequest', managed, () => ({ expiresAt: later })),
  'POST /{id}/void': thing('signatureRequest', managed, () => ({ reason: 'Walked' })),
  'POST /{id}/retry': thing('failedRequest', managed, () => ({})),
  'POST /retry': thing('failedRequest', managed, (_, { id }) => ({ items: [{ id }] })),
  'POST /{id}/resume': thing('suspendedRequest', managed, () => ({})),
  'PATCH /{id}/signers/{signerId}': thing('signatureRequest', managed, () => ({ name: 'Grace' })),
});

const signatureRequest = (world: ActWorld, members: Record<string, unknown> = {}) => askToSign(world.chancery, world.owner, members);
const out = async (world: ActWorld, members: Record<string, unknown> = {}) => {
  const request = await signatureRequest(world, members);
  const [token = ''] = await outToSign(world.chancery, request.id);
  return { ...request, token, signerId: request.signers[0].id };
};
const inState = (state: string) => async (world: ActWorld) => {
  const request = await out(world);
  await world.chancery.pool.query(`UPDATE signature_request SET ${state} WHERE id = $1`, [request.id]);
  return request;
};
/** Creates a signature request that requires a code, and makes the code known. */
const coded = async (world: ActWorld) => {
  const request = await out(world, { requireCode: true });
  await world.made('POST', `${link(request)}/code`);
  const { rows: mails } = await world.chancery.pool.query(
    'SELECT text_body FROM mail_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1',
    [request.signers[0].email],
  );
  return { ...request, code: /: (\d{6})/.exec(mails[0].text_body)?.[1] };
};
const two = () => ({ signers: [...stranger(), ...stranger()] });
const link = ({ token }: { token: string }) => `${signatures}/public/${token}`;
const at = (verb: string) => (request: { id: string }) => `${signatures}/${request.id}/${verb}`;

/** The journal entries of each operation that changes something, and its call. */
export const signatureActs: Acts = {
  [`POST ${signatures}/`]: {
    entries: ['signature.requested'],
    async prepare(world) {
      const { id } = await pdfDocument(world.chancery, world.owner);
      const body = { documentId: id, signers: stranger() };
      return () => world.send('POST', `${signatures}/`, body);
    },
  },
  [`GET ${signatures}/{id}/evidence`]: on(out, 'GET', at('evidence'), undefined, 'signature.evidence_read'),
  [`POST ${signatures}/{id}/remind`]: on(out, 'POST', at('remind'), {}, 'signature.signer_reminded'),
  [`POST ${signatures}/{id}/signers/{signerId}/resend`]: on(
    out,
    'POST',
    ({ id, signerId }) => `${signatures}/${id}/signers/${signerId}/resend`,
    {},
    'signature.signer_resent',
  ),
  [`POST ${signatures}/{id}/extend`]: on(out, 'POST', at('extend'), () => ({ expiresAt: later }), 'signature.extended'),
  [`POST ${signatures}/{id}/void`]: on(out, 'POST', at('void'), { reason: 'Walked' }, 'signature.voided'),
  [`POST ${signatures}/{id}/retry`]: on(
    async (world: ActWorld) => unprepared(world.chancery, await inState("status = 'failed', step = 'prepare'")(world)),
    'POST',
    at('retry'),
    {},
    'signature.retried',
  ),
  [`POST ${signatures}/retry`]: on(
    async (world: ActWorld) => unprepared(world.chancery, await inState("status = 'failed', step = 'prepare'")(world)),
    'POST',
    () => `${signatures}/retry`,
    (_: ActWorld, { id }: { id: string }) => ({ items: [{ id }] }),
    'signature.retried',
  ),
  [`POST ${signatures}/{id}/resume`]: on(inState("suspended = 'right_lost'"), 'POST', at('resume'), {}, 'signature.resumed'),
  [`PATCH ${signatures}/{id}/signers/{signerId}`]: on(
    out,
    'PATCH',
    ({ id, signerId }) => `${signatures}/${id}/signers/${signerId}`,
    { name: 'Grace' },
    'signature.signer_corrected',
    'signature.signer_asked',
  ),
  [`POST ${signatures}/public/{token}/open`]: on(out, 'POST', (request) => `${link(request)}/open`, {}, 'signature.viewed'),
  [`POST ${signatures}/public/{token}/code`]: on(
    (world: ActWorld) => out(world, { requireCode: true }),
    'POST',
    (request) => `${link(request)}/code`,
    {},
    'signature.code_sent',
  ),
  [`POST ${signatures}/public/{token}/code/check`]: on(
    coded,
    'POST',
    (request) => `${link(request)}/code/check`,
    (_: ActWorld, { code }: { code: string }) => ({ code }),
    'signature.code_tried',
  ),
  [`POST ${signatures}/public/{token}/sign`]: on(
    (world: ActWorld) => out(world, two()),
    'POST',
    (request) => `${link(request)}/sign`,
    { consent: true, name: 'Ada' },
    'signature.signed',
  ),
  [`POST ${signatures}/public/{token}/decline`]: on(out, 'POST', (request) => `${link(request)}/decline`, {}, 'signature.declined'),
  [`POST ${signatures}/public/{token}/delegate`]: on(
    (world: ActWorld) => out(world, { allowDelegation: true }),
    'POST',
    (request) => `${link(request)}/delegate`,
    () => ({ email: `${randomUUIDv7()}@example.org`, name: 'Grace' }),
    'signature.delegated',
    'signature.signer_asked',
  ),
};
