import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { documents, address, stranger, link, refused, signatureCalls, signatureTeam } from '../../../../test/signature-requests.ts';
import { askToSign, linkTo, outToSign, pdfDocument, signatures } from '../../../../test/signatures.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
let marcus: User;

before(async () => {
  chancery = await sharedChancery();
  ({ team, creator, marcus } = await signatureTeam(chancery));
});

const { send, ok, read, sign, sql, out } = signatureCalls(
  () => chancery,
  () => creator,
);

test('a signer can delegate once if allowed, and can be corrected until the document is opened; old links become invalid', async () => {
  const [ada, grace] = [stranger(), stranger({ name: 'Grace' })];
  const closed = await out();
  await refused(send(undefined, 'POST', link(closed.tokens[0] ?? '', '/delegate'), grace), 403, 'delegation_not_allowed');
  const request = await out({
    allowDelegation: true,
    signers: [ada, stranger(), { email: marcus.email, name: 'Marcus', role: 'approver' }],
  });
  const [token = '', other = ''] = request.tokens;
  const pass = (to: object) => send(undefined, 'POST', link(token, '/delegate'), to);
  for (const to of [request.signers[1], { email: creator.email, name: 'Priya' }, { email: 'none', name: 'None' }])
    await refused(pass({ email: to.email, name: to.name }), 422, 'delegate_invalid');
  await ok(undefined, 'POST', link(token, '/delegate'), { email: grace.email, name: 'Grace' });
  await refused(send(undefined, 'GET', link(token)), 404, 'signing_link_not_found');
  const theirs = await linkTo(chancery, grace.email);
  const { signers } = await read(request.id);
  assert.deepEqual(
    [signers[0].name, signers[0].delegatedFrom, signers[0].status],
    ['Grace', { email: ada.email, name: 'Ada Acme' }, 'pending'],
  );
  await refused(send(undefined, 'POST', link(theirs, '/delegate'), stranger()), 403, 'delegation_not_allowed');
  await ok(undefined, 'POST', link(theirs, '/open'));
  const correct = (signer: string, body: object, by = creator) => send(by, 'PATCH', `${signatures}/${request.id}/signers/${signer}`, body);
  await refused(correct(request.signers[0].id, { name: 'B' }), 409, 'signer_opened');
  const second = request.signers[1].id;
  await refused(correct(second, { email: 'none' }), 422, 'signer_invalid');
  await refused(correct(second, { email: grace.email }), 422, 'duplicate_signer');
  await refused(correct(request.signers[2].id, { email: creator.email }), 422, 'creator_cannot_approve');
  await refused(correct('01999999-0000-7000-8000-000000000000', { name: 'B' }), 404, 'not_found');
  const right = address();
  await correct(second, { email: right });
  await refused(sign(other), 404, 'signing_link_not_found');
  assert.equal((await sign(await linkTo(chancery, right))).status, 200);
  const acts = await sql(
    "SELECT act, jws FROM signature_evidence WHERE request_id = $1 AND act IN ('delegated', 'corrected') ORDER BY number",
    request.id,
  );
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['delegated', 'corrected'],
  );
  assert.ok(
    Buffer.from(acts[1]?.jws.split('.')[1], 'base64url').toString().includes(request.signers[1].email),
    'both addresses are in the evidence',
  );

  const shared = await pdfDocument(chancery, creator);
  await ok(creator, 'POST', `${documents}/${shared.id}/access`, { userId: marcus.id, access: 'write' });
  const inside = await askToSign(chancery, marcus, { documentId: shared.id, signers: [{ email: team.owner.email, name: 'Olivia' }] });
  await refused(
    send(marcus, 'PATCH', `${signatures}/${inside.id}/signers/${inside.signers[0].id}`, { email: address() }),
    409,
    'request_preparing',
  );
  await outToSign(chancery, inside.id);
  await refused(
    send(marcus, 'PATCH', `${signatures}/${inside.id}/signers/${inside.signers[0].id}`, { email: address() }),
    403,
    'external_signing_denied',
  );
});

test('a current signer can be corrected, and so emailed, five times within a day', async () => {
  const request = await out({ signers: [stranger({ order: 1 }), stranger({ order: 2 })] });
  const [first, second] = request.signers;
  const correct = (id: string, name: string) => send(creator, 'PATCH', `${signatures}/${request.id}/signers/${id}`, { name });
  for (let time = 1; time <= 5; time += 1) assert.equal((await correct(first.id, `Ada ${'I'.repeat(time)}`)).status, 200);
  const often = await refused(correct(first.id, 'Ada'), 409, 'resent_recently');
  assert.ok(Number(often.headers.get('retry-after')) > 80_000);
  // The preparation job sends the first email, and this test does not run it.
  assert.equal((await sql('SELECT id FROM mail_message WHERE recipient = $1', first.email)).length, 5);
  // A signer without an email can be corrected without limit.
  for (let time = 1; time <= 6; time += 1) assert.equal((await correct(second.id, `Bob ${'I'.repeat(time)}`)).status, 200);
  await sql("UPDATE signature_evidence SET at = at - interval '1 day' WHERE request_id = $1", request.id);
  assert.equal((await correct(first.id, 'Ada')).status, 200);
});
