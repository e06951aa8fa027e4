import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { documents, stranger, refused, signatureCalls, signatureTeam } from '../../../../test/signature-requests.ts';
import { pdfDocument, signatures } from '../../../../test/signatures.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
let marcus: User;

before(async () => {
  chancery = await sharedChancery();
  ({ team, creator, marcus } = await signatureTeam(chancery));
});

const { send, ok, read, sql, out } = signatureCalls(
  () => chancery,
  () => creator,
);

test('signers, document and expiry are validated before anything is stored', async () => {
  const document = await pdfDocument(chancery, creator);
  const ask = (members: object, by = creator) =>
    send(by, 'POST', `${signatures}/`, { documentId: document.id, signers: [stranger()], ...members });
  const empty = await chancery.document(creator);
  for (const documentId of [empty.id, 'DMS-1', '01999999-0000-7000-8000-000000000000'])
    await refused(ask({ documentId }), 422, 'document_not_signable');
  await refused(ask({}, marcus), 422, 'document_not_signable');
  for (const signers of [
    [stranger({ email: 'nobody' })],
    [stranger({ name: 'Ada\u202eAcme' })],
    [stranger({ name: 'see evil.example' })],
    [stranger({ role: 'copy' })],
    [stranger(), stranger({ role: 'copy', fields: [{ kind: 'text', page: 1, x: 1, y: 1, width: 9, height: 9 }] })],
    [stranger({ fields: ['a', 'a'].map((id) => ({ id, kind: 'text', page: 1, x: 1, y: 1, width: 9, height: 9 })) })],
  ])
    await refused(ask({ signers }), 422, 'signer_invalid');
  for (const members of [{ locale: 'fr' }, { signers: [stranger({ locale: 'de-AT' }), stranger({ locale: 'deu' })] }])
    await refused(ask(members), 422, 'locale_not_supported');
  const same = stranger();
  await refused(
    ask({ signers: [same, { ...same, email: same.email.toUpperCase().replace('ACME.EXAMPLE', 'acme.example'), name: 'Grace' }] }),
    422,
    'duplicate_signer',
  );
  await refused(ask({ signers: [{ email: creator.email, name: 'Priya', role: 'approver' }] }), 422, 'creator_cannot_approve');
  const day = 86_400_000;
  for (const ahead of [-day, 60_000, 366 * day])
    await refused(ask({ expiresAt: new Date(Date.now() + ahead).toISOString() }), 422, 'expiry_invalid');

  // A member with only write access can ask team members but no external signers.
  await ok(creator, 'POST', `${documents}/${document.id}/access`, { userId: marcus.id, access: 'write' });
  await refused(ask({}, marcus), 403, 'external_signing_denied');
  const made = (await ask({ signers: [{ email: marcus.email, name: 'Marcus' }] }, marcus)).body;
  assert.deepEqual([made.status, made.signers[0].member, made.signers[0].order, made.requestedBy], ['preparing', true, 1, marcus.id]);
  assert.deepEqual(await ok(marcus, 'GET', `${signatures}/${made.id}`), made, 'the requester owns the request');
  await refused(send(marcus, 'POST', `${signatures}/${made.id}/remind`), 409, 'request_preparing');
  await refused(send(marcus, 'POST', `${signatures}/${made.id}/signers/${made.signers[0].id}/resend`), 409, 'request_preparing');
});

test('a document has one live request at a time, and accepts no version, archiving or deletion until its end', async () => {
  const folder = await chancery.folder(creator);
  const document = await pdfDocument(chancery, creator, { folderId: folder.id });
  const ask = () => send(creator, 'POST', `${signatures}/`, { documentId: document.id, signers: [stranger()] });
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  assert.deepEqual(
    [answers.filter(({ status }) => status === 201).length, answers.filter(({ body }) => body.code === 'signature_pending').length],
    [1, 49],
  );
  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.7']), 'next.pdf');
  await refused(send(creator, 'POST', `${documents}/${document.id}/versions`, form), 409, 'signature_pending');
  await refused(send(creator, 'PUT', `${documents}/${document.id}`, { status: 'archived' }), 409, 'signature_pending');
  await refused(send(creator, 'DELETE', `${documents}/${document.id}`), 409, 'signature_pending');
  await refused(send(creator, 'DELETE', `/api/v1/smartdoc/folders/${folder.id}?recursive=true`), 409, 'signature_pending');
  await ok(creator, 'PUT', `${documents}/${document.id}`, { title: 'Another title' });
  const { id } = answers.find(({ status }) => status === 201)?.body ?? {};
  const voided = await ok(creator, 'POST', `${signatures}/${id}/void`, { reason: 'The price changed' });
  assert.deepEqual([voided.status, voided.endReason], ['voided', 'The price changed']);
  await refused(send(creator, 'POST', `${signatures}/${id}/void`, { reason: 'Again' }), 409, 'request_ended');
  await ok(creator, 'DELETE', `${documents}/${document.id}`);
});

test('a failed request cannot be retried after a new version of the document', async () => {
  for (const step of ['seal', 'prepare']) {
    const { id, documentId } = await out();
    await sql("UPDATE signature_request SET status = 'failed', step = $2, error = 'away' WHERE id = $1", id, step);
    if (step === 'prepare') await sql('UPDATE signature_request_document SET presented_storage_key = NULL WHERE request_id = $1', id);
    const form = new FormData();
    form.set('file', new Blob(['%PDF-1.7 newer']), 'next.pdf');
    await ok(creator, 'POST', `${documents}/${documentId}/versions`, form);
    await refused(send(creator, 'POST', `${signatures}/${id}/retry`), 409, 'nothing_to_retry');
    assert.equal((await read(id)).status, 'failed');
  }
});

test('a failed request cannot be retried while its document is in the bin', async () => {
  const { id, documentId } = await out();
  await sql("UPDATE signature_request SET status = 'failed', step = 'seal', error = 'away' WHERE id = $1", id);
  await ok(creator, 'DELETE', `${documents}/${documentId}`);
  for (const by of [creator, team.owner]) await refused(send(by, 'POST', `${signatures}/${id}/retry`), 409, 'nothing_to_retry');
  await ok(creator, 'POST', `${documents}/${documentId}/restore`);
  assert.equal((await ok(creator, 'POST', `${signatures}/${id}/retry`)).status, 'sealing');
  await refused(send(creator, 'DELETE', `${documents}/${documentId}`), 409, 'signature_pending');
});
