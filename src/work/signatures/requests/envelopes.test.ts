import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { counted, documents, link, refused, signatureCalls, signatureTeam, stranger } from '../../../../test/signature-requests.ts';
import { askToSign, pdfDocument, presentPdf, signatures } from '../../../../test/signatures.ts';
import { requestBySeal } from './sealed-request.ts';

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

const titles = ['Agreement', 'Annex A', 'Annex B'];
/** Creates documents and returns the member `documents` of a request. */
async function several(more: Record<number, object> = {}, members: Record<string, string> = {}): Promise<{ documentId: string }[]> {
  const made: { documentId: string }[] = [];
  for (const [at, title] of titles.entries())
    made.push({ documentId: (await pdfDocument(chancery, creator, { title, ...members })).id, ...more[at] });
  return made;
}
const payloadOf = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString());
const evidenceOf = async (id: string) =>
  (await ok(creator, 'GET', `${signatures}/${id}/evidence`)).evidence.map(({ jws }: any) => payloadOf(jws));
const mark = (document?: number) => ({
  kind: 'signature',
  page: 1,
  x: 72,
  y: 600,
  width: 160,
  height: 30,
  ...(document === undefined ? {} : { document }),
});

test('one link, one consent and one action sign all documents, and one statement names each of them', async () => {
  const envelope = await out({ documents: await several(), signers: [stranger({ fields: [mark(), mark(2)] })] });
  const request = await read(envelope.id);
  assert.deepEqual(
    request.documents.map(({ title, version }: any) => [title, version]),
    titles.map((title) => [title, 1]),
  );
  assert.deepEqual([request.title, request.documentId], ['Agreement (+2)', request.documents[0].documentId]);
  assert.deepEqual(
    request.fields.map(({ document }: any) => document),
    [0, 2],
  );
  const [token = ''] = envelope.tokens;
  const seen = await ok(undefined, 'POST', link(token, '/open'), {});
  assert.deepEqual(
    seen.documents.map(({ title, signs }: any) => [title, signs]),
    titles.map((title) => [title, true]),
  );
  assert.equal(seen.document.sha256, seen.documents[0].sha256);
  assert.equal(seen.consentId, 'envelope-1');
  for (const { title, sha256 } of seen.documents)
    assert.ok(seen.consentText.includes(title) && seen.consentText.includes(sha256), seen.consentText);
  const { consentId, stateSha256 } = seen;
  const hashes = seen.documents.map(({ sha256 }: any) => sha256);
  await refused(sign(token, { documentsSha256: hashes.toReversed() }), 409, 'document_changed_meanwhile');
  assert.equal((await sign(token, { consentId, stateSha256, documentsSha256: hashes })).body.status, 'sealing');
  const [viewed, signed] = await evidenceOf(envelope.id);
  for (const content of [viewed, signed]) {
    assert.deepEqual(
      content.documents,
      request.documents.map(({ documentId, sha256 }: any, at: number) => ({
        id: documentId,
        version: 1,
        sha256,
        presentedSha256: hashes[at],
      })),
    );
    assert.equal(content.documentSha256, undefined);
  }
  assert.equal(signed.consent.text, seen.consentText);
  assert.deepEqual(
    signed.fields.map(({ document }: any) => document),
    [0, 2],
  );
  const events = await sql("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'signature.signed'", envelope.id);
  assert.deepEqual(
    events[0].data.documents,
    request.documents.map(({ documentId }: any) => ({ documentId, documentVersion: 1 })),
  );
});

test('a request with `documentId` keeps its members, its consent and its statements', async () => {
  const request = await out();
  const [token = ''] = request.tokens;
  const seen = await ok(undefined, 'GET', link(token));
  assert.deepEqual([seen.consentId, seen.documents.length, /SHA-256/.test(seen.consentText)], ['simple-1', 1, false]);
  assert.equal((await sign(token, { documentSha256: seen.document.sha256 })).status, 200);
  const [signed] = await evidenceOf(request.id);
  const {
    documentSha256,
    documentId,
    documents: [only],
  } = await read(request.id);
  assert.deepEqual([signed.documentId, signed.documentSha256, signed.documents.length], [documentId, documentSha256, 1]);
  assert.deepEqual([only.documentId, only.sha256], [documentId, documentSha256]);
});

test('the documents of a request are validated before anything is stored', async () => {
  const [a, b, c] = await several();
  const asking = (body: object) => send(creator, 'POST', `${signatures}/`, { signers: [stranger()], ...body });
  const invalid = async (body: object, code: string, pointer: string, status = 422) => {
    const { body: problem } = await refused(asking(body), status, code);
    assert.equal(problem.errors[0].pointer, pointer, JSON.stringify(problem));
  };
  await invalid({}, 'validation_failed', '/documents', 400);
  await invalid({ documentId: a?.documentId, documents: [b] }, 'validation_failed', '/documents', 400);
  await invalid({ documents: [a, a] }, 'document_not_signable', '/documents/1/documentId');
  await invalid({ documents: [a, { documentId: 'x' }] }, 'document_not_signable', '/documents/1/documentId');
  await invalid({ documents: [a, { ...b, version: 2 }] }, 'document_not_signable', '/documents/1/version');
  await invalid({ documents: [a, { ...b, signedBy: [1] }] }, 'signer_invalid', '/documents/1/signedBy/0');
  const two = { signers: [stranger(), stranger()] };
  await invalid({ ...two, documents: [a, { ...b, signedBy: [1], visibleTo: [0] }] }, 'signer_invalid', '/documents/1/signedBy/0');
  await invalid(
    {
      ...two,
      documents: [
        { ...a, signedBy: [0] },
        { ...b, signedBy: [0] },
      ],
    },
    'signer_invalid',
    '/signers/1',
  );
  const copied = { signers: [stranger(), stranger({ role: 'copy' })] };
  await invalid({ ...copied, documents: [a, { ...b, signedBy: [1] }] }, 'signer_invalid', '/documents/1/signedBy/0');
  await invalid({ ...copied, documents: [a, { ...b, visibleTo: [1] }] }, 'signer_invalid', '/documents/1');
  await invalid({ signers: [stranger({ fields: [mark(1)] })], documents: [a] }, 'signer_invalid', '/signers/0/fields/0/document');
  await sql('UPDATE document_version SET size = 31 * 1024 * 1024 WHERE document_id = ANY ($1)', [a?.documentId, b?.documentId]);
  await invalid({ documents: [a, b, c] }, 'documents_too_large', '/documents');
  const stored = await sql('SELECT 1 FROM signature_request_document WHERE document_id = ANY ($1)', [
    a?.documentId,
    b?.documentId,
    c?.documentId,
  ]);
  assert.deepEqual(stored, []);
  const strange = await asking({ documents: [{ ...c, sealedBy: 1 }] });
  assert.equal(strange.status, 400);
});

test('signers see and sign only the documents that the request gives them', async () => {
  const [ada, grace] = [stranger({ name: 'Ada' }), stranger({ name: 'Grace' })];
  const given = await several({ 1: { signedBy: [0] }, 2: { visibleTo: [1] } });
  const envelope = await out({ documents: given, signers: [ada, grace] });
  await presentPdf(chancery, envelope.id);
  const [first = '', second = ''] = envelope.tokens;
  const seen = async (token: string) => (await ok(undefined, 'GET', link(token))).documents.map(({ title, signs }: any) => [title, signs]);
  assert.deepEqual(await seen(first), [
    ['Agreement', true],
    ['Annex A', true],
  ]);
  assert.deepEqual(await seen(second), [
    ['Agreement', true],
    ['Annex A', false],
    ['Annex B', true],
  ]);
  const { consentText } = await ok(undefined, 'GET', link(second));
  assert.ok(consentText.includes('Annex B') && !consentText.includes('Annex A'), consentText);
  for (const [token, at, status] of [
    [first, 1, 200],
    [first, 2, 404],
    [second, 2, 200],
  ] as const)
    assert.equal((await send(undefined, 'GET', link(token, `/document?document=${at}`))).status, status);
  const ids = (await read(envelope.id)).signers.map(({ id }: any) => id);
  const shown = (await read(envelope.id)).documents;
  assert.deepEqual([shown[1].signedBy, shown[2].visibleTo, shown[0].signedBy], [[ids[0]], [ids[1]], undefined]);
  assert.equal((await sign(first)).status, 200);
  assert.equal((await sign(second)).status, 200);
  const [, signed] = await evidenceOf(envelope.id);
  assert.deepEqual(
    signed.documents.map(({ signs }: any) => signs),
    [undefined, false, undefined],
  );
});

test('each document of a request is found by its sealed file, with those who signed it', async () => {
  const given = await several({ 1: { signedBy: [0] } });
  const envelope = await out({ documents: given, signers: [stranger({ name: 'Ada' }), stranger({ name: 'Grace' })] });
  for (const token of envelope.tokens) assert.equal((await sign(token)).status, 200);
  await sql("UPDATE signature_request SET status = 'completed', completed_at = now() WHERE id = $1", envelope.id);
  await sql(
    `UPDATE signature_request_document SET sealed_at = now(), sealed_version = 1, sealed_sha256 = repeat(place::text, 63) || right($1::text, 1), seal_level = 'B-B',
       time_source = 'service' WHERE request_id::text = $1`,
    envelope.id,
  );
  const by = async (place: number) => {
    const found = await requestBySeal(chancery.database, `${String(place).repeat(63)}${envelope.id.at(-1)}`);
    return [found?.id, found?.title, found?.signers.map(({ name }) => name)];
  };
  assert.deepEqual(await by(0), [envelope.id, 'Agreement', ['Ada', 'Grace']]);
  assert.deepEqual(await by(1), [envelope.id, 'Annex A', ['Ada']]);
});

test('while a request is open, none of its documents accepts a version or another request', async () => {
  const given = await several();
  const envelope = await out({ documents: given });
  for (const { documentId } of given) {
    const form = new FormData();
    form.set('file', new Blob(['%PDF-1.7']), 'next.pdf');
    await refused(send(creator, 'POST', `${documents}/${documentId}/versions`, form), 409, 'signature_pending');
    await refused(send(creator, 'DELETE', `${documents}/${documentId}`), 409, 'signature_pending');
    await refused(send(creator, 'POST', `${signatures}/`, { documentId, signers: [stranger()] }), 409, 'signature_pending');
    const listed = await ok(creator, 'GET', `${signatures}/?documentId=${documentId}`);
    assert.deepEqual(
      listed.map(({ id }: any) => id),
      [envelope.id],
    );
  }
  await ok(creator, 'POST', `${signatures}/${envelope.id}/void`, { reason: 'Changed' });
  for (const { documentId } of given) await ok(creator, 'DELETE', `${documents}/${documentId}`);
});

test('concurrent requests about overlapping documents: one is stored, without a deadlock', async () => {
  const [a, b, c] = await several();
  const orders = [
    [a, b],
    [b, a],
    [c, b],
    [b, c],
  ];
  const answers = await Promise.all(
    Array.from({ length: 48 }, (_, n) => send(creator, 'POST', `${signatures}/`, { documents: orders[n % 4], signers: [stranger()] })),
  );
  assert.deepEqual(counted(answers), { '201 preparing': 1, '409 signature_pending': 47 });
});

test('after a decline or a void, all documents stay unsealed and the evidence stays', async () => {
  for (const end of ['decline', 'void']) {
    const given = await several();
    const envelope = await out({ documents: given, signers: [stranger(), stranger()] });
    const [first = '', second = ''] = envelope.tokens;
    assert.equal((await sign(first)).body.status, 'pending');
    if (end === 'decline') await ok(undefined, 'POST', link(second, '/decline'), { reason: 'No' });
    else await ok(creator, 'POST', `${signatures}/${envelope.id}/void`, { reason: 'Changed' });
    for (const { documentId } of given) assert.equal((await ok(creator, 'GET', `${documents}/${documentId}`)).currentVersion.number, 1);
    const acts = (await evidenceOf(envelope.id)).map(({ act }: any) => act);
    assert.deepEqual(acts, end === 'decline' ? ['signed', 'declined'] : ['signed']);
    const request = await read(envelope.id);
    assert.ok(request.documents.every(({ sealedVersion }: any) => sealedVersion === undefined));
  }
});

test('a barrier that excludes a signer from one document suspends the request for all, until the signer sees it again', async () => {
  const folder = await chancery.folder(creator);
  const [a, b] = await several();
  const hidden = await pdfDocument(chancery, creator, { folderId: folder.id, title: 'Kestrel' });
  const signers = [{ email: marcus.email, name: 'Marcus' }, stranger()];
  const envelope = await out({ documents: [a, { documentId: hidden.id }, b], signers });
  const [member = '', outside = ''] = envelope.tokens;
  const barrier = `/api/v1/smartdoc/folders/${folder.id}/barrier`;
  await ok(creator, 'PUT', barrier, { userIds: [] });
  assert.equal((await read(envelope.id)).suspended, 'signer_excluded');
  await refused(sign(member, {}, marcus), 409, 'request_suspended');
  await refused(sign(outside), 409, 'request_suspended');
  const suspended = await sql("SELECT recipient FROM mail_message WHERE subject LIKE 'Signature request suspended%Agreement (+2)'");
  assert.deepEqual(
    suspended.map(({ recipient }) => recipient),
    [creator.email],
    'managers outside of the barrier get no email',
  );
  // The request is hidden from those who may not see one of its documents.
  await refused(send(team.owner, 'GET', `${signatures}/${envelope.id}`), 404, 'not_found');
  await refused(send(creator, 'POST', `${signatures}/${envelope.id}/resume`), 409, 'signer_excluded');
  await ok(creator, 'PUT', barrier, { userIds: [marcus.id] });
  await ok(creator, 'POST', `${signatures}/${envelope.id}/resume`);
  assert.equal((await sign(member, {}, marcus)).status, 200);
  assert.equal((await sign(outside)).body.status, 'sealing');
});

test('a document that a signer does not see may be behind a barrier that excludes the signer', async () => {
  const folder = await chancery.folder(creator);
  const hidden = await pdfDocument(chancery, creator, { folderId: folder.id, title: 'Heron' });
  await ok(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  const [a] = await several();
  const signers = [{ email: marcus.email, name: 'Marcus' }, stranger()];
  await refused(send(creator, 'POST', `${signatures}/`, { documents: [a, { documentId: hidden.id }], signers }), 422, 'signer_invalid');
  const envelope = await out({ documents: [a, { documentId: hidden.id, visibleTo: [1] }], signers });
  const [member = ''] = envelope.tokens;
  const seen = await ok(marcus, 'GET', link(member));
  assert.deepEqual([seen.document.title, JSON.stringify(seen).includes('Heron')], ['Agreement', false]);
  assert.equal((await sign(member, {}, marcus)).status, 200);
});

test('a suspended member cannot sign, and another member’s session shows no data', async () => {
  const zoe = await chancery.user(team, { firstName: 'Zoe' });
  const envelope = await out({ documents: await several(), signers: [{ email: zoe.email, name: 'Zoe' }] });
  const [token = ''] = envelope.tokens;
  const other = await send(marcus, 'GET', link(token));
  assert.deepEqual(Object.keys(other.body).toSorted(), ['maskedEmail', 'signInRequired', 'status']);
  await refused(sign(token, {}, marcus), 403, 'sign_in_required');
  await sql("UPDATE account SET status = 'disabled' WHERE id = $1", zoe.id);
  for (const answer of [await sign(token, {}, zoe), await send(zoe, 'GET', link(token))])
    assert.ok(answer.status === 401 || answer.status === 403 || answer.body?.signInRequired === true, `${answer.status} ${answer.text}`);
  assert.equal((await read(envelope.id)).signers[0].status, 'pending');
});

test('each signer gets the page, the emails and the consent in their language', async () => {
  const zoe = await chancery.user(team, { firstName: 'Zoe' });
  await sql("UPDATE person SET locale = 'ja' WHERE id = $1", zoe.id);
  const signers = [stranger({ locale: 'de-AT' }), { email: zoe.email, name: 'Zoe' }, stranger()];
  const languagesOf = async (members: object = {}) =>
    (await askToSign(chancery, creator, { signers, ...members })).signers.map(({ locale }: any) => locale);
  assert.deepEqual(await languagesOf(), ['de', 'ja', 'en']);
  assert.deepEqual(await languagesOf({ locale: 'ar' }), ['de', 'ar', 'ar']);
  const envelope = await out({ documents: await several(), signers: [stranger({ locale: 'de' }), stranger({ locale: 'ar' })] });
  const [german = '', arabic = ''] = envelope.tokens;
  assert.match((await ok(undefined, 'GET', link(german))).consentText, /unten genannten Dokumente/);
  assert.equal((await sign(arabic)).status, 200);
  const [signed] = await evidenceOf(envelope.id);
  assert.equal(signed.consent.locale, 'ar');
  await ok(creator, 'POST', `${signatures}/${envelope.id}/remind`);
  const [mail] = await sql(
    'SELECT subject, text_body FROM mail_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1',
    envelope.signers[0].email,
  );
  assert.match(mail.subject, /^Erinnerung: Bitte unterzeichnen Sie Agreement \(\+2\)/);
  for (const title of titles) assert.ok(mail.text_body.includes(title), mail.text_body);
});

test('50 signers sign an envelope at once, each once, and the last signature starts one sealing', async () => {
  const signers = Array.from({ length: 50 }, (_, n) => stranger({ name: `Signer ${n}` }));
  const envelope = await out({ documents: await several(), signers });
  assert.equal(envelope.tokens.length, 50);
  const answers = await Promise.all(envelope.tokens.map((token) => sign(token)));
  assert.deepEqual(counted(answers), { '200 pending': 49, '200 sealing': 1 });
  const jobs = await sql("SELECT count(*)::int AS n FROM job WHERE name = 'signature-seal' AND data->>'request' = $1", envelope.id);
  assert.equal(jobs[0].n, 1);
  const chain = await sql('SELECT number, sha256, jws FROM signature_evidence WHERE request_id = $1 ORDER BY number', envelope.id);
  assert.equal(chain.length, 50);
  for (const [at, { jws }] of chain.entries()) assert.equal(payloadOf(jws).previousSha256, chain[at - 1]?.sha256);
});

test('of a signature and a void at once, one succeeds, and the documents follow', async () => {
  for (let round = 0; round < 3; round += 1) {
    const given = await several();
    const envelope = await out({ documents: given });
    const [token = ''] = envelope.tokens;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? sign(token) : send(creator, 'POST', `${signatures}/${envelope.id}/void`, { reason: 'Changed' }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1, JSON.stringify(counted(answers)));
    const { status } = await read(envelope.id);
    assert.equal(status, won[0]?.body.status);
    const live = await sql('SELECT live FROM signature_request_document WHERE request_id = $1', envelope.id);
    assert.deepEqual(
      live.map((row) => row.live),
      Array.from({ length: 3 }, () => status === 'sealing'),
    );
  }
});

test('a request stays with its evidence until its last document is deleted', async () => {
  const given = await several();
  const envelope = await out({ documents: given });
  assert.equal((await sign(envelope.tokens[0] ?? '')).status, 200);
  await sql("UPDATE signature_request SET status = 'failed', step = 'seal', error = 'away' WHERE id = $1", envelope.id);
  await sql('DELETE FROM document WHERE id = $1', given[0]?.documentId);
  const left = await read(envelope.id);
  assert.deepEqual(
    [left.documentId, left.documents.map(({ title }: any) => title), left.evidence.length],
    [given[1]?.documentId, ['Annex A', 'Annex B'], 1],
  );
  await sql('DELETE FROM document WHERE id = ANY ($1)', [given[1]?.documentId, given[2]?.documentId]);
  assert.deepEqual(await sql('SELECT 1 FROM signature_request WHERE id = $1', envelope.id), []);
});
