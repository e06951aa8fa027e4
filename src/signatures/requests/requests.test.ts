import assert from 'node:assert/strict';
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { before, test } from 'node:test';
import { pino } from 'pino';
import { type Answer, type Chancery, sharedChancery, type Team, type User } from '../../../test/harness.ts';
import { askToSign, linkTo, outToSign, pdfDocument, signatures } from '../../../test/signatures.ts';
import { listeners } from '../../listeners.ts';
import { loadMasterKey } from '../../platform/crypto/master-key.ts';
import { type MailDeps, teamMailJob } from '../../platform/mail/jobs.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { isolateFaults } from '../../platform/jobs/isolated-jobs.ts';
import { endDocumentOf } from '../../documents/service.ts';
import { linkPurpose, type Requests } from './context.ts';
import { expiries, reminders } from './due-jobs.ts';
import { mayMailSigner } from './mail-signers.ts';
import { actRefusal, turnOf } from './policy.ts';
import { requestBySeal } from './sealed-request.ts';
import { moves, states } from './states.ts';

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: Team;
let maker: User;
let marcus: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team('Harbour & Lane');
  [maker, marcus] = [await chancery.user(team, { firstName: 'Priya' }), await chancery.user(team, { firstName: 'Marcus' })];
});

const send = (by: { token: string } | undefined, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, path, { ...(by ? { token: by.token } : {}), ...(body === undefined ? {} : { body }), headers });
async function ok(...asked: Parameters<typeof send>): Promise<any> {
  const answer = await send(...asked);
  assert.ok(answer.status < 300, `${asked[1]} ${asked[2]} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}
const refused = async (answering: Promise<Answer>, status: number, code: string) => {
  const answer = await answering;
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text);
  return answer;
};
const address = () => `ada.${randomBytes(5).toString('hex')}@acme.example`;
const stranger = (members: object = {}) => ({ email: address(), name: 'Ada Acme', ...members });
const link = (token: string, verb = '') => `${signatures}/public/${token}${verb}`;
const read = (id: string) => ok(maker, 'GET', `${signatures}/${id}`);
/** The head of a PNG of 2 × 1 pixels and its end, and between them nothing that could be drawn when all have signed. */
const broken = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAABElEQVQAAAAAAAAAAElFTkSuQmCC';
const yes = { consent: true, name: 'Ada Acme' };
const days = (n: number) => new Date(Date.now() + n * 86_400_000);
const sign = (token: string, body: object = {}, by?: User) => send(by, 'POST', link(token, '/sign'), { ...yes, ...body });
const sql = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;

/** A request of the maker's that is out to be signed, with the links of those who sign first. */
async function out(
  members: Record<string, unknown> = {},
  by = maker,
): Promise<{ id: string; tokens: string[]; signers: any[]; documentId: string }> {
  const made = await askToSign(chancery, by, members);
  return { ...made, tokens: await outToSign(chancery, made.id) };
}

test('whom one asks, about what and until when is looked at before anything is kept', async () => {
  const document = await pdfDocument(chancery, maker);
  const ask = (members: object, by = maker) =>
    send(by, 'POST', `${signatures}/`, { documentId: document.id, signers: [stranger()], ...members });
  const empty = await chancery.document(maker);
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
  const same = stranger();
  await refused(
    ask({ signers: [same, { ...same, email: same.email.toUpperCase().replace('ACME.EXAMPLE', 'acme.example'), name: 'Grace' }] }),
    422,
    'duplicate_signer',
  );
  await refused(ask({ signers: [{ email: maker.email, name: 'Priya', role: 'approver' }] }), 422, 'maker_cannot_approve');
  const day = 86_400_000;
  for (const ahead of [-day, 60_000, 366 * day])
    await refused(ask({ expiresAt: new Date(Date.now() + ahead).toISOString() }), 422, 'expiry_invalid');

  // Who may only change the document asks members of the team, and nobody from outside.
  await ok(maker, 'POST', `${documents}/${document.id}/access`, { userId: marcus.id, access: 'write' });
  await refused(ask({}, marcus), 403, 'signing_outside_not_yours');
  const made = (await ask({ signers: [{ email: marcus.email, name: 'Marcus' }] }, marcus)).body;
  assert.deepEqual([made.status, made.signers[0].member, made.signers[0].order, made.requestedBy], ['preparing', true, 1, marcus.id]);
  assert.deepEqual(await ok(maker, 'GET', `${signatures}/${made.id}`), made, 'the owner of the document sees it');
  await refused(send(marcus, 'POST', `${signatures}/${made.id}/remind`), 409, 'request_preparing');
  await refused(send(marcus, 'POST', `${signatures}/${made.id}/signers/${made.signers[0].id}/resend`), 409, 'request_preparing');
});

test('one request at a time is about a document, which takes no version meanwhile and is neither archived nor binned, by whichever way', async () => {
  const folder = await chancery.folder(maker);
  const document = await pdfDocument(chancery, maker, { folderId: folder.id });
  const ask = () => send(maker, 'POST', `${signatures}/`, { documentId: document.id, signers: [stranger()] });
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  assert.deepEqual(
    [answers.filter(({ status }) => status === 201).length, answers.filter(({ body }) => body.code === 'signature_pending').length],
    [1, 49],
  );
  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.7']), 'next.pdf');
  await refused(send(maker, 'POST', `${documents}/${document.id}/versions`, form), 409, 'signature_pending');
  await refused(send(maker, 'PUT', `${documents}/${document.id}`, { status: 'archived' }), 409, 'signature_pending');
  await refused(send(maker, 'DELETE', `${documents}/${document.id}`), 409, 'signature_pending');
  await refused(send(maker, 'DELETE', `/api/v1/smartdoc/folders/${folder.id}?recursive=true`), 409, 'signature_pending');
  await ok(maker, 'PUT', `${documents}/${document.id}`, { title: 'Another title' });
  const { id } = answers.find(({ status }) => status === 201)?.body ?? {};
  const voided = await ok(maker, 'POST', `${signatures}/${id}/void`, { reason: 'The price changed' });
  assert.deepEqual([voided.status, voided.endReason], ['voided', 'The price changed']);
  await refused(send(maker, 'POST', `${signatures}/${id}/void`, { reason: 'Again' }), 409, 'request_ended');
  await ok(maker, 'DELETE', `${documents}/${document.id}`);
});

test('people sign in turns, each once, and each act is proven by a JWS that names the one before; only in there stands from where', async () => {
  const [ada, grace] = [stranger({ order: 1 }), stranger({ order: 2, name: 'Grace Hopper', role: 'approver' })];
  const place = { page: 1, x: 72, y: 600, width: 120, height: 30 };
  const fields = [
    { id: 'mark', kind: 'signature', ...place },
    { id: 'seen', kind: 'checkbox', ...place },
    { id: 'town', kind: 'text', ...place, label: 'Town' },
    { id: 'day', kind: 'date', ...place },
  ];
  const request = await out({
    signers: [{ ...ada, fields }, grace, stranger({ role: 'copy', name: 'Carol' })],
    message: 'As we spoke of',
    consentAddition: 'And to the annex.',
  });
  const [token = ''] = request.tokens;
  const shown = await ok(undefined, 'GET', link(token));
  assert.deepEqual([shown.status, shown.signer.status, shown.fields.length, shown.message], ['pending', 'pending', 4, 'As we spoke of']);
  assert.match(shown.consentText, /sign this document electronically[^]*And to the annex\.$/);
  assert.deepEqual(
    shown.signers.map(({ name, status }: any) => [name, status]),
    [
      ['Ada Acme', 'pending'],
      ['Grace Hopper', 'waiting'],
      ['Carol', 'waiting'],
    ],
  );
  assert.equal((await read(request.id)).signers[0].status, 'pending', 'looking changes nothing');
  for (let n = 0; n < 2; n += 1) assert.equal((await ok(undefined, 'POST', link(token, '/open'))).signer.status, 'viewed');

  await refused(sign(token, { consent: false }), 422, 'consent_required');
  await refused(sign(token, { consentId: 'simple-0' }), 409, 'consent_changed');
  await refused(sign(token, { documentSha256: 'ab'.repeat(32) }), 409, 'document_changed_meanwhile');
  await refused(sign(token, { stateSha256: 'ab'.repeat(32) }), 409, 'document_changed_meanwhile');
  const unfilled = await refused(sign(token, { fields: { seen: false, other: 'x' } }), 422, 'fields_invalid');
  assert.deepEqual(unfilled.body.errors.map(({ pointer }: any) => pointer).toSorted(), ['/fields/other', '/fields/seen', '/fields/town']);
  // As many characters as can be read in a box of that size, on all its lines.
  assert.deepEqual(
    shown.fields.map(({ maxLength }: any) => maxLength),
    [undefined, undefined, 270, undefined],
  );
  const long = await refused(sign(token, { fields: { seen: true, town: 'a'.repeat(271) } }), 422, 'fields_invalid');
  assert.deepEqual(
    long.body.errors.map(({ pointer, rule }: any) => [pointer, rule]),
    [['/fields/town', 'maxLength']],
  );
  const filled = { fields: { seen: true, town: 'Aarhus' } };
  for (const data of ['', 'iVBORw0KGgo=', 'x'.repeat(1000), broken])
    await refused(sign(token, { ...filled, signature: { kind: 'drawn', data } }), 422, 'mark_invalid');
  const done = await sign(token, {
    ...filled,
    documentSha256: shown.document.sha256,
    stateSha256: shown.stateSha256,
    consentId: shown.consentId,
    locale: 'en',
  });
  assert.deepEqual(done.body, { success: true, status: 'pending' });
  await refused(sign(token, filled), 409, 'already_signed');
  for (const [verb, body] of [
    ['/open', {}],
    ['/decline', {}],
    ['/delegate', stranger()],
  ] as const)
    await refused(send(undefined, 'POST', link(token, verb), body), 409, 'already_signed');

  const next = await linkTo(chancery, grace.email);
  const seen = await ok(undefined, 'GET', link(next));
  assert.deepEqual(seen.fields.map(({ id, own, value }: any) => [id, own, value]).slice(0, 3), [
    ['mark', false, 'Ada Acme'],
    ['seen', false, true],
    ['town', false, 'Aarhus'],
  ]);
  assert.notEqual(seen.stateSha256, shown.stateSha256);
  const last = await sign(next, { name: 'Grace B. Hopper' });
  assert.deepEqual(last.body, { success: true, status: 'sealing' });
  await refused(sign(next), 409, 'already_signed');
  await refused(send(maker, 'POST', `${signatures}/${request.id}/void`, { reason: 'Too late' }), 409, 'request_sealing');
  await refused(send(maker, 'POST', `${signatures}/${request.id}/remind`), 409, 'request_sealing');
  await refused(send(maker, 'POST', `${signatures}/${request.id}/signers/${request.signers[0].id}/resend`), 409, 'request_sealing');
  await refused(send(maker, 'POST', `${signatures}/${request.id}/extend`, { expiresAt: days(90) }), 409, 'request_sealing');
  await refused(
    send(maker, 'PATCH', `${signatures}/${request.id}/signers/${request.signers[0].id}`, { name: 'B' }),
    409,
    'request_sealing',
  );
  await refused(send(undefined, 'GET', link(next, '/sealed')), 409, 'sealed_not_ready');

  const { keys } = await ok(undefined, 'GET', '/.well-known/evidence-jwks.json');
  const rows = await sql('SELECT jws, sha256, act FROM signature_evidence WHERE request_id = $1 ORDER BY number', request.id);
  assert.deepEqual(
    rows.map(({ act }) => act),
    ['viewed', 'signed', 'signed'],
  );
  let previous: string | undefined;
  for (const { jws, sha256 } of rows) {
    const [header = '', content = '', signature = ''] = jws.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const key = createPublicKey({ key: keys.find((one: any) => one.kid === kid), format: 'jwk' });
    assert.ok(verify(null, Buffer.from(`${header}.${content}`), key, Buffer.from(signature, 'base64url')));
    assert.equal(createHash('sha256').update(jws).digest('hex'), sha256);
    const said = JSON.parse(Buffer.from(content, 'base64url').toString());
    assert.deepEqual(
      [said.previousSha256, said.presentedSha256, said.ip, said.userAgent],
      [previous, shown.document.sha256, '127.0.0.1', 'node'],
    );
    if (said.act === 'signed') assert.equal(said.consent.text, shown.consentText);
    previous = sha256;
  }
  const journal = await sql("SELECT type, ip, data FROM audit_entry WHERE target_id = $1 AND actor_type = 'visitor'", request.id);
  assert.ok(
    journal.length >= 3 && journal.every(({ ip, data }) => ip === null && !JSON.stringify(data).includes(ada.email)),
    JSON.stringify(journal),
  );
  const proofs = await ok(maker, 'GET', `${signatures}/${request.id}/evidence`);
  assert.deepEqual(
    proofs.evidence.map(({ jws }: any) => jws),
    rows.map(({ jws }) => jws),
  );
  const { evidence } = await read(request.id);
  assert.deepEqual(
    evidence.map(({ sha256 }: any) => sha256),
    rows.map(({ sha256 }) => sha256),
  );
});

test('no answer, event or entry shows a link, and a wrong one is the same 404 everywhere', async () => {
  const request = await out();
  const [token = ''] = request.tokens;
  await ok(undefined, 'POST', link(token, '/open'));
  const told = [await send(team.owner, 'GET', `${signatures}/${request.id}`), await send(maker, 'GET', `${signatures}/`)].map(
    ({ text }) => text,
  );
  const kept = await sql('SELECT data::text AS text FROM audit_entry UNION ALL SELECT encode(body, $1) FROM event', 'escape');
  for (const text of [...told, ...kept.map((row) => row.text)]) assert.ok(!text.includes(token), text);
  const wrong = randomBytes(32).toString('base64url');
  for (const verb of ['', '/document', '/sealed']) await refused(send(undefined, 'GET', link(wrong, verb)), 404, 'signing_link_not_found');
  for (const verb of ['/open', '/code']) await refused(send(undefined, 'POST', link(wrong, verb)), 404, 'signing_link_not_found');
  await refused(send(undefined, 'POST', link(wrong, '/code/check'), { code: '123456' }), 404, 'signing_link_not_found');
  await refused(sign(wrong), 404, 'signing_link_not_found');
  await refused(send(undefined, 'POST', link(wrong, '/decline'), {}), 404, 'signing_link_not_found');
  await refused(send(undefined, 'POST', link(wrong, '/delegate'), stranger()), 404, 'signing_link_not_found');
});

test('a member signs signed in with that account alone, and is shown nothing before', async () => {
  const request = await out({ signers: [{ email: marcus.email, name: 'Marcus' }] });
  const [token = ''] = request.tokens;
  const locked = {
    status: 'pending',
    signInRequired: true,
    maskedEmail: `${marcus.email[0]}…${marcus.email.split('@')[0]?.at(-1)}@example.org`,
  };
  for (const by of [undefined, maker, team.owner, (await chancery.team()).owner])
    assert.deepEqual(await ok(by, 'GET', link(token)), locked);
  for (const by of [undefined, team.owner]) {
    for (const verb of ['/open', '/code']) await refused(send(by, 'POST', link(token, verb)), 403, 'sign_in_required');
    await refused(send(by, 'GET', link(token, '/document')), 403, 'sign_in_required');
    await refused(send(by, 'POST', link(token, '/code/check'), { code: '123456' }), 403, 'sign_in_required');
    await refused(sign(token, {}, by), 403, 'sign_in_required');
    await refused(send(by, 'POST', link(token, '/decline'), {}), 403, 'sign_in_required');
    await refused(send(by, 'POST', link(token, '/delegate'), stranger()), 403, 'sign_in_required');
  }
  await ok(marcus, 'POST', link(token, '/open'));
  assert.equal((await sign(token, {}, marcus)).body.status, 'sealing');
  await refused(send(undefined, 'GET', link(token, '/sealed')), 403, 'sign_in_required');
  const [{ actor_id: actor }] = await sql(
    "SELECT actor_id FROM audit_entry WHERE type = 'signature.signed' AND target_id = $1",
    request.id,
  );
  assert.equal(actor, marcus.id);
});

test('a code by mail opens what asks for one: six digits, five tries, five a day, and the session is of that signer', async () => {
  const [ada, other] = [stranger(), stranger()];
  const request = await out({ requireCode: true, signers: [ada, other] });
  const [token = '', theirs = ''] = request.tokens;
  const codeOf = async () =>
    /: (\d{6})/.exec(
      (await sql('SELECT text_body FROM mail_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1', ada.email))[0].text_body,
    )?.[1] ?? '';
  const check = (code: string) => send(undefined, 'POST', link(token, '/code/check'), { code });
  assert.equal((await ok(undefined, 'GET', link(token))).codeRequired, true);
  await refused(send(undefined, 'POST', link(token, '/open')), 403, 'code_required');
  await refused(send(undefined, 'GET', link(token, '/document')), 403, 'code_required');
  await refused(sign(token), 403, 'code_required');
  await refused(send(undefined, 'POST', link(token, '/decline'), {}), 403, 'code_required');
  await refused(send(undefined, 'POST', link(token, '/delegate'), stranger()), 403, 'code_required');
  await ok(undefined, 'POST', link(token, '/code'));
  const first = await codeOf();
  const wrong = first === '000000' ? '111111' : '000000';
  for (let n = 0; n < 5; n += 1) await refused(check(wrong), 422, 'code_wrong');
  await refused(check(first), 422, 'code_wrong');
  await ok(undefined, 'POST', link(token, '/code'));
  const second = await codeOf();
  const tries = await Promise.all(Array.from({ length: 10 }, () => check(second)));
  const right = tries.filter(({ status }) => status === 200);
  assert.equal(right.length, 1, 'a code is good once');
  const session = { 'x-signing-session': right[0]?.headers.get('x-signing-session') ?? '' };
  assert.match(right[0]?.headers.getSetCookie().join() ?? '', /signing=[\w-]{43};[^,]*HttpOnly/);
  assert.equal((await send(undefined, 'GET', link(theirs), undefined, session)).body.codeRequired, true, 'it is nobody else’s session');
  assert.equal((await send(undefined, 'POST', link(token, '/open'), undefined, session)).status, 200);
  await sql("UPDATE signature_session SET expires_at = now() - interval '1 second'");
  await refused(send(undefined, 'POST', link(token, '/open'), undefined, session), 403, 'code_required');
  for (let n = 0; n < 3; n += 1) await ok(undefined, 'POST', link(token, '/code'));
  for (let n = 0; n < 3; n += 1) {
    const locked = await refused(send(undefined, 'POST', link(token, '/code')), 429, 'code_locked');
    assert.ok(Number(locked.headers.get('retry-after')) > 80_000);
  }
  await refused(check(await codeOf()), 422, 'code_wrong');
  const told = await sql("SELECT subject FROM mail_message WHERE recipient = $1 AND subject LIKE 'Codes used up%'", maker.email);
  assert.equal(told.length, 1);
  await sql("UPDATE signature_signer SET codes_since = codes_since - interval '1 day' WHERE email = $1", ada.email);
  await ok(undefined, 'POST', link(token, '/code'));
  await refused(send(undefined, 'GET', link(theirs, '/sealed')), 403, 'code_required');
  const plain = await out();
  await refused(send(undefined, 'POST', link(plain.tokens[0] ?? '', '/code')), 409, 'code_not_asked');
  await refused(send(undefined, 'POST', link(plain.tokens[0] ?? '', '/code/check'), { code: '123456' }), 409, 'code_not_asked');
});

test('a signer is passed on once where that is allowed, and corrected until they open it: the link of before leads nowhere', async () => {
  const [ada, grace] = [stranger(), stranger({ name: 'Grace' })];
  const closed = await out();
  await refused(send(undefined, 'POST', link(closed.tokens[0] ?? '', '/delegate'), grace), 403, 'delegation_not_allowed');
  const request = await out({
    allowDelegation: true,
    signers: [ada, stranger(), { email: marcus.email, name: 'Marcus', role: 'approver' }],
  });
  const [token = '', other = ''] = request.tokens;
  const pass = (to: object) => send(undefined, 'POST', link(token, '/delegate'), to);
  for (const to of [request.signers[1], { email: maker.email, name: 'Priya' }, { email: 'none', name: 'None' }])
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
  const correct = (signer: string, body: object, by = maker) => send(by, 'PATCH', `${signatures}/${request.id}/signers/${signer}`, body);
  await refused(correct(request.signers[0].id, { name: 'B' }), 409, 'signer_opened');
  const second = request.signers[1].id;
  await refused(correct(second, { email: 'none' }), 422, 'signer_invalid');
  await refused(correct(second, { email: grace.email }), 422, 'duplicate_signer');
  await refused(correct(request.signers[2].id, { email: maker.email }), 422, 'maker_cannot_approve');
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

  const shared = await pdfDocument(chancery, maker);
  await ok(maker, 'POST', `${documents}/${shared.id}/access`, { userId: marcus.id, access: 'write' });
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
    'signing_outside_not_yours',
  );
});

test('the right to ask is looked at at each turn: once it is lost nobody signs, until somebody who has it goes on', async () => {
  const document = await pdfDocument(chancery, maker);
  const grant = await ok(maker, 'POST', `${documents}/${document.id}/access`, { userId: marcus.id, access: 'write' });
  const [olivia, zoe] = [team.owner, await chancery.user(team, { firstName: 'Zoe' })];
  const signers = [
    { email: olivia.email, name: 'Olivia', order: 1 },
    { email: zoe.email, name: 'Zoe', order: 2 },
  ];
  const made = await askToSign(chancery, marcus, { documentId: document.id, signers });
  const [token = ''] = await outToSign(chancery, made.id);
  assert.equal((await sign(token, {}, olivia)).status, 200);
  const theirs = await linkTo(chancery, zoe.email);
  await refused(send(maker, 'POST', `${signatures}/${made.id}/resume`), 409, 'request_not_suspended');
  await ok(maker, 'DELETE', `${documents}/${document.id}/access/${grant.id}`);
  for (const verb of ['/open', '/delegate', '/decline'])
    await refused(send(zoe, 'POST', link(theirs, verb), verb === '/delegate' ? stranger() : {}), 409, 'request_suspended');
  await refused(send(zoe, 'GET', link(theirs)), 409, 'request_suspended');
  await refused(send(zoe, 'GET', link(theirs, '/document')), 409, 'request_suspended');
  await refused(sign(theirs, {}, zoe), 409, 'request_suspended');
  await sql("UPDATE signature_request SET suspended = 'right_lost' WHERE id = $1", made.id);
  await refused(send(maker, 'POST', `${signatures}/${made.id}/remind`), 409, 'request_suspended');
  await refused(send(marcus, 'POST', `${signatures}/${made.id}/resume`), 404, 'not_found');
  await ok(maker, 'POST', `${documents}/${document.id}/access`, { userId: marcus.id, access: 'read' });
  await refused(send(marcus, 'POST', `${signatures}/${made.id}/resume`), 403, 'forbidden');
  const resumed = await ok(maker, 'POST', `${signatures}/${made.id}/resume`);
  assert.deepEqual([resumed.suspended, resumed.requestedBy], [undefined, maker.id]);
  await ok(zoe, 'POST', link(theirs, '/open'));

  // Whoever was to sign leaves: it stands still, and who asked and those who run the team hear of it.
  await ok(olivia, 'DELETE', `/api/v1/team/members/${zoe.id}`);
  assert.equal((await read(made.id)).suspended, 'signer_left');
  const told = await sql("SELECT DISTINCT recipient FROM mail_message WHERE subject LIKE 'Signatures stand still%'");
  assert.deepEqual(told.map(({ recipient }) => recipient).toSorted(), [maker.email, olivia.email].toSorted());
});

test('a signer whose turn it is is corrected, and so written to, five times within a day', async () => {
  const request = await out({ signers: [stranger({ order: 1 }), stranger({ order: 2 })] });
  const [first, second] = request.signers;
  const correct = (id: string, name: string) => send(maker, 'PATCH', `${signatures}/${request.id}/signers/${id}`, { name });
  for (let time = 1; time <= 5; time += 1) assert.equal((await correct(first.id, `Ada ${'I'.repeat(time)}`)).status, 200);
  const often = await refused(correct(first.id, 'Ada'), 409, 'resent_recently');
  assert.ok(Number(often.headers.get('retry-after')) > 80_000);
  // The first of all is sent by the job that makes the request ready, which this test does without.
  assert.equal((await sql('SELECT id FROM mail_message WHERE recipient = $1', first.email)).length, 5);
  // Who is not written to yet is corrected as often as one likes.
  for (let time = 1; time <= 6; time += 1) assert.equal((await correct(second.id, `Bob ${'I'.repeat(time)}`)).status, 200);
  await sql("UPDATE signature_evidence SET at = at - interval '1 day' WHERE request_id = $1", request.id);
  assert.equal((await correct(first.id, 'Ada')).status, 200);
});

test('paused nobody signs; reminded is who waits, once a day; what has ended is 410', async () => {
  const request = await out({ signers: [stranger(), stranger()] });
  const [token = '', other = ''] = request.tokens;
  await sql('UPDATE signature_request SET paused = true WHERE id = $1', request.id);
  for (const [verb, body] of [
    ['/open', {}],
    ['/sign', yes],
    ['/decline', {}],
    ['/delegate', stranger()],
  ] as const)
    await refused(send(undefined, 'POST', link(token, verb), body), 409, 'request_paused');
  await sql('UPDATE signature_request SET paused = false WHERE id = $1', request.id);
  await ok(maker, 'POST', `${signatures}/${request.id}/remind`);
  const again = await refused(send(maker, 'POST', `${signatures}/${request.id}/remind`), 409, 'reminded_recently');
  assert.ok(Number(again.headers.get('retry-after')) > 80_000);
  const mails = await sql("SELECT text_body FROM mail_message WHERE recipient = $1 AND subject LIKE 'Reminder%'", request.signers[0].email);
  assert.equal(mails.length, 1);
  assert.ok(mails[0].text_body.includes(`/sign/${token}`), 'a reminder has the link that they have');
  const declined = await send(undefined, 'POST', link(token, '/decline'), { reason: 'Clause 4' });
  assert.deepEqual(declined.body, { success: true, status: 'declined' });
  for (const verb of ['', '/document', '/sealed']) await refused(send(undefined, 'GET', link(other, verb)), 410, 'signing_over');
  for (const [verb, body] of [
    ['/open', {}],
    ['/code', {}],
    ['/sign', yes],
    ['/decline', {}],
    ['/delegate', stranger()],
  ] as const)
    await refused(send(undefined, 'POST', link(other, verb), body), 410, 'signing_over');
  await refused(send(undefined, 'POST', link(other, '/code/check'), { code: '123456' }), 410, 'signing_over');
  assert.deepEqual([(await read(request.id)).endReason, (await read(request.id)).signers[0].declineReason], ['Clause 4', 'Clause 4']);
  await refused(send(maker, 'POST', `${signatures}/${request.id}/remind`), 409, 'request_ended');
  await refused(send(maker, 'POST', `${signatures}/${request.id}/signers/${request.signers[1].id}/resend`), 409, 'request_ended');
  await refused(send(maker, 'PATCH', `${signatures}/${request.id}/signers/${request.signers[1].id}`, { name: 'B' }), 409, 'request_ended');
  await refused(send(maker, 'POST', `${signatures}/${request.id}/retry`), 409, 'nothing_to_retry');
  const failed = await out();
  await sql("UPDATE signature_request SET status = 'failed' WHERE id = $1", failed.id);
  await askToSign(chancery, maker, { documentId: failed.documentId });
  await refused(send(maker, 'POST', `${signatures}/${failed.id}/retry`), 409, 'signature_pending');
});

/** A context for work that goes by itself. */
async function working(): Promise<Requests> {
  const key = await loadMasterKey({ configured: chancery.masterKey, dataDir: '/nowhere', generate: 'never' });
  const none = () => assert.fail('nothing is signed by itself');
  return { baseUrl: 'http://localhost:8080', links: key.box(linkPurpose), codeKey: Buffer.alloc(32), evidence: none, storage: {} as never };
}
async function due(kind: 'expiries' | 'reminders', now: Date): Promise<void> {
  const isolation = isolateFaults({
    database: chancery.database,
    log: pino({ level: 'silent' }),
    metrics: { failed: (job) => assert.fail(job), setAside: () => undefined },
  });
  const deps = { database: chancery.database, listeners, isolation };
  await doDueWork(deps, kind === 'expiries' ? expiries : reminders(await working()), now);
}

test('one signer is written to again, five times a day and not at once; the time to sign is made longer, never shorter', async () => {
  const request = await out({ signers: [stranger({ order: 1 }), stranger({ order: 2 }), stranger({ role: 'copy' })] });
  const [token = ''] = request.tokens;
  const [first, second, copy] = request.signers;
  const again = (of: string) => send(maker, 'POST', `${signatures}/${request.id}/signers/${of}/resend`);
  const mails = () => sql('SELECT text_body FROM mail_message WHERE recipient = $1', first.email);
  for (const { id } of [second, copy]) await refused(again(id), 409, 'signer_not_asked');
  await refused(again(request.id), 404, 'not_found');
  // Fifty at once write one mail, with the link that they have.
  const earlier = (await mails()).length;
  const answers = await Promise.all(Array.from({ length: 50 }, () => again(first.id)));
  assert.deepEqual(counted(answers), { '200 pending': 1, '409 resent_recently': 49 });
  const sent = await mails();
  assert.deepEqual([sent.length, sent.at(-1)?.text_body.includes(`/sign/${token}`)], [earlier + 1, true]);
  // Who was written to is not reminded a moment later.
  await refused(send(maker, 'POST', `${signatures}/${request.id}/remind`), 409, 'reminded_recently');
  for (let time = 2; time <= 5; time += 1) {
    await sql("UPDATE signature_signer SET resent_at = resent_at - interval '11 minutes' WHERE id = $1", first.id);
    assert.equal((await again(first.id)).status, 200);
  }
  await sql("UPDATE signature_signer SET resent_at = resent_at - interval '11 minutes' WHERE id = $1", first.id);
  const wait = Number((await refused(again(first.id), 409, 'resent_recently')).headers.get('retry-after'));
  assert.ok(wait > 80_000, String(wait));
  // The day begins with the first of the five, however late the last of them was.
  await sql("UPDATE signature_signer SET resent_since = resent_since - interval '1 day' WHERE id = $1", first.id);
  for (let time = 1; time <= 5; time += 1) {
    assert.equal((await again(first.id)).status, 200, `time ${time} of the next day`);
    await sql("UPDATE signature_signer SET resent_at = resent_at - interval '11 minutes' WHERE id = $1", first.id);
  }
  await refused(again(first.id), 409, 'resent_recently');
  // To the address that is right nothing was sent again so far.
  const corrected = address();
  await ok(maker, 'PATCH', `${signatures}/${request.id}/signers/${first.id}`, { email: corrected });
  await sql("UPDATE signature_signer SET sent_at = sent_at - interval '11 minutes' WHERE id = $1", first.id);
  assert.equal((await again(first.id)).status, 200);
  await sql("UPDATE signature_signer SET resent_at = resent_at - interval '11 minutes' WHERE id = $1", first.id);
  await sql("UPDATE signature_request SET suspended = 'right_lost' WHERE id = $1", request.id);
  await refused(again(first.id), 409, 'request_suspended');
  await sql('UPDATE signature_request SET suspended = NULL WHERE id = $1', request.id);

  const extend = (expiresAt: Date, headers = {}) =>
    send(maker, 'POST', `${signatures}/${request.id}/extend`, { expiresAt: expiresAt.toISOString() }, headers);
  await refused(extend(days(3)), 422, 'expiry_invalid');
  await refused(extend(days(400)), 422, 'expiry_invalid');
  await refused(extend(days(60), { 'if-match': '"1"' }), 412, 'precondition_failed');
  const until = days(60);
  assert.equal((await extend(until)).body.expiresAt, until.toISOString());
  assert.equal((await ok(undefined, 'GET', link(await linkTo(chancery, corrected)))).expiresAt, until.toISOString());
  const [entry] = await sql("SELECT data FROM audit_entry WHERE type = 'signature.extended' AND target_id = $1", request.id);
  assert.equal(entry.data.expiresAt, until.toISOString());
  // Against the end of its time one of both happens.
  for (let round = 0; round < 3; round += 1) {
    const late = await out();
    await sql("UPDATE signature_request SET expires_at = now() + interval '25 milliseconds' WHERE id = $1", late.id);
    const [tries] = await Promise.all([
      Promise.all(
        Array.from({ length: 20 }, () => send(maker, 'POST', `${signatures}/${late.id}/extend`, { expiresAt: days(9).toISOString() })),
      ),
      due('expiries', new Date()),
    ]);
    await due('expiries', days(1));
    const won = tries.some(({ status }) => status === 200);
    assert.equal((await read(late.id)).status, won ? 'pending' : 'expired');
  }
  await sql("UPDATE signature_request SET expires_at = now() - interval '1 minute' WHERE id = $1", request.id);
  await refused(extend(days(80)), 409, 'request_ended');
  // Nobody is mailed a link that leads nowhere any more.
  await refused(again(first.id), 409, 'request_ended');
  await refused(send(maker, 'PATCH', `${signatures}/${request.id}/signers/${first.id}`, { name: 'Ada' }), 409, 'request_ended');
  await sql("UPDATE signature_request SET suspended = 'right_lost' WHERE id = $1", request.id);
  await refused(send(maker, 'POST', `${signatures}/${request.id}/resume`), 409, 'request_ended');
  await sql('UPDATE signature_request SET suspended = NULL WHERE id = $1', request.id);
  const unready = await askToSign(chancery, maker);
  await sql(
    "UPDATE signature_request SET status = 'failed', step = 'prepare', error = 'x', ended_at = now(), expires_at = now() - interval '1 minute' WHERE id = $1",
    unready.id,
  );
  await refused(send(maker, 'POST', `${signatures}/${unready.id}/retry`), 409, 'request_ended');
  await sql("UPDATE signature_signer SET sent_at = sent_at - interval '2 days' WHERE id = $1", first.id);
  await refused(send(maker, 'POST', `${signatures}/${request.id}/remind`), 409, 'request_ended');
});

test('by itself the service reminds five times and lets what was not signed in time expire', async () => {
  const request = await out({ expiresAt: days(60).toISOString() });
  await sql("UPDATE signature_signer SET remind_at = sent_at + interval '2 days' WHERE request_id = $1", request.id);
  for (let day = 0; day < 40; day += 1) await due('reminders', days(day + 0.01));
  const [{ reminders: count, remind_at: next }] = await sql(
    'SELECT reminders, remind_at FROM signature_signer WHERE request_id = $1',
    request.id,
  );
  assert.deepEqual([count, next], [5, null]);
  await due('expiries', days(59));
  assert.equal((await read(request.id)).status, 'pending');
  await due('expiries', days(61));
  assert.equal((await read(request.id)).status, 'expired');
  await refused(sign(request.tokens[0] ?? ''), 410, 'signing_over');
});

/** How many of the answers have a status and code, told apart. */
const counted = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = `${status} ${body?.code ?? body?.status}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};
const mixed = <T>(n: number, one: () => Promise<T>, other: () => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, at) => (at % 2 === 0 ? one() : other())));

test('of what races one thing happens: signing twice, two last signers, declining, voiding and expiring against signing', async () => {
  const once = await out();
  const [token = ''] = once.tokens;
  assert.deepEqual(counted(await Promise.all(Array.from({ length: 50 }, () => sign(token)))), {
    '200 sealing': 1,
    '409 already_signed': 49,
  });

  const two = await out({ signers: [stranger(), stranger()] });
  const [a = '', b = ''] = two.tokens;
  const both = await mixed(
    50,
    () => sign(a),
    () => sign(b),
  );
  assert.deepEqual(counted(both), { '200 pending': 1, '200 sealing': 1, '409 already_signed': 48 });
  const jobs = await sql("SELECT count(*)::int AS n FROM job WHERE name = 'signature-seal' AND data->>'request' = $1", two.id);
  assert.equal(jobs[0].n, 1);

  for (let round = 0; round < 3; round += 1) {
    const against = await out();
    const [own = ''] = against.tokens;
    const declines = await mixed(
      50,
      () => sign(own),
      () => send(undefined, 'POST', link(own, '/decline'), {}),
    );
    const won = declines.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    assert.equal((await read(against.id)).status, won[0]?.body.status);
    const acts = await sql('SELECT act FROM signature_evidence WHERE request_id = $1', against.id);
    assert.equal(acts.length, 1);

    const taken = await out();
    const voids = await mixed(
      50,
      () => sign(taken.tokens[0] ?? ''),
      () => send(maker, 'POST', `${signatures}/${taken.id}/void`, { reason: 'Changed' }),
    );
    const ended = voids.filter(({ status }) => status === 200);
    assert.equal(ended.length, 1, JSON.stringify(counted(voids)));
    assert.equal((await read(taken.id)).status, ended[0]?.body.status);

    const late = await out();
    await sql("UPDATE signature_request SET expires_at = now() + interval '30 milliseconds' WHERE id = $1", late.id);
    const [signs] = await Promise.all([
      Promise.all(Array.from({ length: 25 }, () => sign(late.tokens[0] ?? ''))),
      due('expiries', days(1)),
      due('expiries', days(1)),
    ]);
    await due('expiries', days(1));
    const { status } = await read(late.id);
    assert.equal(status, signs.some((answer) => answer.status === 200) ? 'sealing' : 'expired');
  }
});

test('behind a wall nobody outside sees a request, and events have identifiers alone', async () => {
  const folder = await chancery.folder(maker);
  const document = await pdfDocument(chancery, maker, { folderId: folder.id, title: 'Nightingale' });
  await ok(maker, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/wall`, { userIds: [] });
  await refused(
    send(maker, 'POST', `${signatures}/`, { documentId: document.id, signers: [{ email: marcus.email, name: 'Marcus' }] }),
    422,
    'signer_invalid',
  );
  const request = await out({ documentId: document.id, signers: [stranger()] });
  const client = await chancery.client(team.owner);
  for (const by of [team.owner, client]) await refused(send(by, 'GET', `${signatures}/${request.id}`), 404, 'not_found');
  assert.equal((await sign(request.tokens[0] ?? '')).status, 200);
  const said = await sql("SELECT type, data::text AS data FROM audit_entry WHERE target_id = $1 AND type LIKE 'signature.%'", request.id);
  assert.ok(said.length >= 2 && said.every(({ data }) => !data.includes('Nightingale')), JSON.stringify(said));
});

test('a wall that is put up later keeps members from what they were asked to sign and from what they have signed, and no mail names it to them', async () => {
  const folder = await chancery.folder(maker);
  const wall = `/api/v1/smartdoc/folders/${folder.id}/wall`;
  const member = { email: marcus.email, name: 'Marcus' };
  const walled = async (title: string) =>
    out({ documentId: (await pdfDocument(chancery, maker, { folderId: folder.id, title })).id, signers: [member] });
  const [signed, waiting] = [await walled('Kestrel'), await walled('Heron')];
  const [token = ''] = signed.tokens;
  assert.equal((await sign(token, {}, marcus)).body.status, 'sealing');
  await ok(maker, 'PUT', wall, { userIds: [] });
  const looks = async () => [await send(marcus, 'GET', link(token)), await send(marcus, 'GET', link(token, '/sealed'))];
  assert.equal((await looks())[0]?.status, 410);
  await sql(
    "UPDATE signature_request SET status = 'completed', completed_at = now(), ended_at = now(), sealed_version = 1 WHERE id = $1",
    signed.id,
  );
  assert.deepEqual(
    (await looks()).map(({ status, body }) => [status, body.code]),
    [
      [410, 'signing_over'],
      [410, 'signing_over'],
    ],
  );
  // Who has mails sent is told that none goes, and none is counted or recorded: also of those that go by themselves.
  await sql("UPDATE signature_signer SET remind_at = sent_at + interval '1 minute' WHERE request_id = $1", waiting.id);
  const later = new Date(Date.now() + 2 * 86_400_000);
  await refused(send(maker, 'POST', `${signatures}/${waiting.id}/remind`), 409, 'signer_kept_out');
  await due('reminders', later);
  await refused(send(maker, 'POST', `${signatures}/${waiting.id}/signers/${waiting.signers[0].id}/resend`), 409, 'signer_kept_out');
  assert.deepEqual(
    await sql(
      'SELECT resent, reminders, reminded_at, remind_at > $2 AS put_off FROM signature_signer WHERE id = $1',
      waiting.signers[0].id,
      later,
    ),
    [{ resent: 0, reminders: 0, reminded_at: null, put_off: true }],
  );
  const recorded = "SELECT id FROM audit_entry WHERE type IN ('signature.signer_resent', 'signature.signer_reminded') AND target_id = $1";
  assert.deepEqual(await sql(recorded, waiting.id), []);
  assert.deepEqual(await sql("SELECT id FROM mail_message WHERE recipient = $1 AND text_body LIKE '%Heron%'", marcus.email), []);
  await ok(maker, 'DELETE', wall);
  const fetched = await fetch(`${chancery.url}${link(token, '/sealed')}`, { headers: { authorization: `Bearer ${marcus.token}` } });
  await fetched.arrayBuffer();
  assert.deepEqual([(await send(marcus, 'GET', link(token))).status, fetched.status], [200, 200]);
});

test('whom a wall keeps from what they are asked to sign is mailed no code for it, and a mail that has waited is not sent to them any more', async () => {
  const folder = await chancery.folder(maker);
  const wall = `/api/v1/smartdoc/folders/${folder.id}/wall`;
  const document = await pdfDocument(chancery, maker, { folderId: folder.id, title: 'Goshawk' });
  const signers = [{ email: marcus.email, name: 'Marcus' }, stranger()];
  const request = await out({ documentId: document.id, requireCode: true, signers });
  const [token = '', outside = ''] = request.tokens;
  await ok(maker, 'POST', `${signatures}/${request.id}/remind`);
  for (const [by, at] of [
    [marcus, token],
    [undefined, outside],
  ] as const)
    await ok(by, 'POST', link(at, '/code'));
  const waiting = () =>
    sql("SELECT id, recipient, subject FROM mail_message WHERE team_id = $1 AND subject LIKE '%Goshawk%' ORDER BY id", team.id);
  const written = (await waiting()).map(({ recipient }) => recipient).toSorted();
  assert.deepEqual(written, [marcus.email, marcus.email, signers[1]?.email, signers[1]?.email].toSorted(), 'a reminder and a code each');
  await ok(maker, 'PUT', wall, { userIds: [] });
  await refused(send(marcus, 'POST', link(token, '/code')), 409, 'request_suspended');
  assert.equal((await waiting()).length, 4);
  const sent: string[] = [];
  const deps: MailDeps = {
    database: chancery.database,
    transport: { send: async ({ to }) => void sent.push(to), verify: async () => undefined, close: () => undefined },
    exceeded: () => undefined,
    mayMail: mayMailSigner(chancery.database),
  };
  for (const { id } of await waiting()) {
    const done = await teamMailJob.run(deps, { mail: id }, { id, team: team.id, attempt: 1, signal: new AbortController().signal });
    assert.ok(done && 'write' in done);
    await chancery.database.asSystem('the job ends', (tx) => done.write(tx));
  }
  assert.deepEqual(sent, [signers[1]?.email, signers[1]?.email]);
  assert.deepEqual(
    (await waiting()).map(({ recipient }) => recipient),
    sent,
    'what is not sent is not kept',
  );
  await ok(maker, 'DELETE', wall);
  await ok(marcus, 'POST', link(token, '/code'));
});

test('nobody signs with a name that is not as it looks, or that nobody sees, neither typed nor as it is drawn', async () => {
  const fields = [{ id: 'town', kind: 'text', page: 1, x: 1, y: 1, width: 90, height: 20 }];
  const request = await out({ signers: [stranger({ fields })] });
  const [token = ''] = request.tokens;
  for (const name of ['\u200b', '\u3164', 'A\u200bda', 'Ada\ud800', 'Ada\u200f', 'Ada\u202eemcA']) {
    await refused(sign(token, { name, fields: { town: 'Aarhus' } }), 400, 'validation_failed');
    await refused(sign(token, { signature: { kind: 'typed', data: name }, fields: { town: 'Aarhus' } }), 422, 'mark_invalid');
    await refused(sign(token, { fields: { town: name } }), 422, 'fields_invalid');
    await refused(send(maker, 'PATCH', `${signatures}/${request.id}/signers/${request.signers[0].id}`, { name }), 422, 'signer_invalid');
  }
  assert.equal((await sign(token, { fields: { town: 'Aarhus' } })).body.status, 'sealing');
});

test('what a signer is shown turns no text, neither its own nor what stands beside it', async () => {
  const document = await pdfDocument(chancery, maker);
  const place = { kind: 'text', page: 1, x: 1, y: 1, width: 9, height: 9 };
  const ask = (members: object) => send(maker, 'POST', `${signatures}/`, { documentId: document.id, signers: [stranger()], ...members });
  for (const text of ['I pay \u202e000,1\u202c EUR', 'a \u2067b', 'a\u0085b', 'half \ud800 of one']) {
    await refused(ask({ consentAddition: text }), 400, 'validation_failed');
    await refused(ask({ message: text }), 400, 'validation_failed');
    await refused(ask({ signers: [stranger({ fields: [{ ...place, label: text }] })] }), 422, 'signer_invalid');
  }
  const plain = 'First line,\nthe second: \u200fשלום\u200e 👩\u200d👧';
  const made = await ask({ consentAddition: plain, message: plain, signers: [stranger({ fields: [{ ...place, label: plain }] })] });
  assert.deepEqual([made.status, made.body.message, made.body.consentAddition], [201, plain, plain], made.text);
});

test('whoever has become a member outside of the wall since they were named as a signer is mailed nothing of what is behind it', async () => {
  const folder = await chancery.folder(maker);
  const document = await pdfDocument(chancery, maker, { folderId: folder.id, title: 'Peregrine' });
  await ok(maker, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/wall`, { userIds: [] });
  const second = stranger({ order: 2 });
  const request = await out({ documentId: document.id, signers: [stranger({ order: 1 }), second] });
  const joined = await chancery.user(team);
  await sql('UPDATE account SET email = $2, email_key = $2 WHERE id = $1', joined.id, second.email);
  assert.equal((await sign(request.tokens[0] ?? '')).status, 200);
  assert.deepEqual(
    (await read(request.id)).signers.map(({ status, member }: any) => [status, member]),
    [
      ['signed', undefined],
      ['pending', true],
    ],
  );
  assert.deepEqual(await sql('SELECT subject FROM mail_message WHERE recipient = $1', second.email), []);
});

test('a member who has left is reminded of nothing that they were to sign, also where somebody goes on with the request', async () => {
  const leaver = await chancery.user(team);
  const request = await out({ signers: [{ email: leaver.email, name: 'Lee' }] });
  await ok(team.owner, 'DELETE', `/api/v1/team/members/${leaver.id}`);
  assert.equal((await ok(maker, 'POST', `${signatures}/${request.id}/resume`)).suspended, undefined);
  const [mailed] = await sql('SELECT count(*)::int AS n FROM mail_message WHERE recipient = $1', leaver.email);
  await refused(send(maker, 'POST', `${signatures}/${request.id}/remind`), 409, 'signer_kept_out');
  await refused(send(maker, 'POST', `${signatures}/${request.id}/signers/${request.signers[0].id}/resend`), 409, 'signer_kept_out');
  assert.deepEqual(await sql('SELECT count(*)::int AS n FROM mail_message WHERE recipient = $1', leaver.email), [mailed]);
  // Asked under another address, they get a link of their own.
  const { email } = stranger();
  await ok(maker, 'PATCH', `${signatures}/${request.id}/signers/${request.signers[0].id}`, { email });
  assert.equal((await sign(await linkTo(chancery, email))).body.status, 'sealing');
});

test('what has failed is not tried again once the document has another version: what was signed would take its place', async () => {
  for (const step of ['seal', 'prepare']) {
    const { id, documentId } = await out();
    await sql("UPDATE signature_request SET status = 'failed', step = $2, error = 'away' WHERE id = $1", id, step);
    if (step === 'prepare') await sql('UPDATE signature_request SET presented_storage_key = NULL WHERE id = $1', id);
    const form = new FormData();
    form.set('file', new Blob(['%PDF-1.7 newer']), 'next.pdf');
    await ok(maker, 'POST', `${documents}/${documentId}/versions`, form);
    await refused(send(maker, 'POST', `${signatures}/${id}/retry`), 409, 'nothing_to_retry');
    assert.equal((await read(id)).status, 'failed');
  }
});

test('who may not open a document to signers any more names no other signer, and one link does so much a minute', async () => {
  const document = await pdfDocument(chancery, maker);
  const share = (access: string) => ok(maker, 'POST', `${documents}/${document.id}/access`, { userId: marcus.id, access });
  await share('write');
  const carol = await chancery.user(team, { firstName: 'Carol' });
  const members = { documentId: document.id, signers: [{ email: maker.email, name: 'Priya' }] };
  const request = await out(members, marcus);
  await share('read');
  const signer = `${signatures}/${request.id}/signers/${request.signers[0].id}`;
  await refused(send(marcus, 'PATCH', signer, { email: carol.email, name: 'Carol' }), 403, 'forbidden');

  /** By a link of its own: what drew a mark that is none, and so many openings afterwards, and how long all of it took. */
  const much = async () => {
    const [token = ''] = (await out()).tokens;
    const began = Date.now();
    // What is drawn is looked at before it is signed with, and is one act for all that.
    await refused(sign(token, { signature: { kind: 'drawn', data: broken } }), 422, 'mark_invalid');
    const opens = await Promise.all(Array.from({ length: 125 }, () => send(undefined, 'POST', link(token, '/open'))));
    return { opens, ms: Date.now() - began };
  };
  let { opens, ms } = await much();
  // On a machine with much else to do, the minute may be over before they are.
  for (let tries = 0; ms >= 60_000 && tries < 3; tries += 1) ({ opens, ms } = await much());
  const over = opens.filter(({ status }) => status === 429);
  assert.deepEqual([over.length, over[0]?.body.code, opens.filter(({ status }) => status === 200).length], [6, 'rate_limited', 119]);
});

test('each state is left as the table says, and whose turn it is follows from who has signed', () => {
  for (const { from, to } of Object.values(moves)) assert.ok(!(from as readonly string[]).includes(to));
  assert.deepEqual(
    states.filter((state) => !Object.values(moves).some(({ from }) => (from as readonly string[]).includes(state))),
    ['completed', 'declined', 'expired', 'voided'],
  );
  const open = { status: 'pending', expired: false, paused: false, suspended: false };
  assert.equal(actRefusal(open, { role: 'signer', status: 'waiting' }), 'not_your_turn');
  assert.equal(actRefusal(open, { role: 'copy', status: 'waiting' }), 'not_yours');
  assert.equal(actRefusal({ ...open, expired: true }, { role: 'signer', status: 'viewed' }), 'over');
  const signers = [
    { role: 'copy', status: 'waiting', turn: 1 },
    { role: 'signer', status: 'signed', turn: 1 },
    { role: 'signer', status: 'waiting', turn: 3 },
    { role: 'approver', status: 'waiting', turn: 2 },
  ] as const;
  assert.deepEqual(turnOf(signers), [signers[3]]);
});

test('an answer that is kept under a key is given again to whoever may come by the link still, and to nobody else', async () => {
  const keyed = (token: string, verb: string, body: object = {}, headers: Record<string, string> = {}) =>
    send(undefined, 'POST', link(token, verb), body, { 'idempotency-key': 'again', ...headers });
  const replayed = ({ status, headers }: Answer) => [status, headers.get('idempotency-replayed')];
  const asked = { signers: [stranger(), stranger({ name: 'Grace' })] };
  // The link leads on: the same answer. The request was taken back: none.
  const plain = await out(asked);
  const [token = '', other = ''] = plain.tokens;
  assert.equal((await keyed(token, '/open')).status, 200);
  assert.deepEqual(replayed(await keyed(token, '/open')), [200, 'true']);
  assert.equal((await keyed(other, '/sign', yes)).status, 200);
  assert.deepEqual(replayed(await keyed(other, '/sign', yes)), [200, 'true']);
  await ok(maker, 'POST', `${signatures}/${plain.id}/void`, { reason: 'Wrong file' });
  for (const answer of [
    await refused(keyed(token, '/open'), 410, 'signing_over'),
    await refused(keyed(other, '/sign', yes), 410, 'signing_over'),
  ])
    assert.equal(answer.headers.get('idempotency-replayed'), null);
  // Whoever has ended it hears so again.
  const declined = await out(asked);
  for (const again of [null, 'true']) assert.deepEqual(replayed(await keyed(declined.tokens[0] ?? '', '/decline')), [200, again]);
  // The code of the mail is asked of whoever repeats it, too, and a wrong one is no way to learn the right one.
  const coded = await out({ ...asked, requireCode: true });
  const [guarded = ''] = coded.tokens;
  await ok(undefined, 'POST', link(guarded, '/code'), {});
  const [mail] = await sql('SELECT text_body FROM mail_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1', coded.signers[0].email);
  const code = /: (\d{6})/.exec(mail.text_body)?.[1] ?? '';
  const session = (await keyed(guarded, '/code/check', { code })).headers.get('x-signing-session') ?? '';
  assert.equal((await keyed(guarded, '/code/check', { code })).headers.get('x-signing-session'), session);
  await refused(keyed(guarded, '/code/check', { code: code === '000000' ? '000001' : '000000' }), 422, 'code_wrong');
  assert.equal((await keyed(guarded, '/open', {}, { 'idempotency-key': 'opened', 'x-signing-session': session })).status, 200);
  await refused(keyed(guarded, '/open', {}, { 'idempotency-key': 'opened' }), 403, 'code_required');
  // A wall keeps a member out of what they were shown before.
  const member = await out({ signers: [{ email: marcus.email, name: 'Marcus' }, stranger()] });
  const opened = () => send(marcus, 'POST', link(member.tokens[0] ?? '', '/open'), {}, { 'idempotency-key': 'member' });
  assert.equal((await opened()).status, 200);
  assert.equal((await keyed(member.tokens[0] ?? '', '/open', {}, { 'idempotency-key': 'member' })).status, 403);
  const folder = await ok(maker, 'POST', '/api/v1/smartdoc/folders/', { name: `Walled ${member.id}` });
  await ok(maker, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/wall`, { userIds: [] });
  await ok(maker, 'PATCH', `${documents}/${member.documentId}/move`, { folderId: folder.id });
  await refused(opened(), 409, 'request_suspended');
});

test('who lost the document is shown nothing of the request by having asked, and ends it no more; its owner does', async () => {
  const [asker, other] = [await chancery.user(team), await chancery.user(team)];
  const document = await pdfDocument(chancery, maker);
  const share = await ok(maker, 'POST', `${documents}/${document.id}/access`, { userId: asker.id, access: 'write' });
  const request = await out({ documentId: document.id, signers: [{ email: marcus.email, name: 'Marcus' }] }, asker);
  const listed = async (by: User, query = '') => (await ok(by, 'GET', `${signatures}/${query}`)).map(({ id }: any) => id);
  assert.deepEqual(
    [await listed(asker), await listed(asker, `?documentId=${document.id}`), await listed(other)],
    [[request.id], [request.id], []],
  );
  await ok(maker, 'DELETE', `${documents}/${document.id}/access/${share.id}`);
  for (const [method, verb, body] of [
    ['GET', '', undefined],
    ['GET', '/evidence', undefined],
    ['POST', '/void', { reason: 'Mine' }],
    ['POST', '/remind', {}],
    ['PATCH', `/signers/${request.signers[0].id}`, { name: 'M.' }],
  ] as const)
    await refused(send(asker, method, `${signatures}/${request.id}${verb}`, body), 404, 'not_found');
  assert.deepEqual([await listed(asker), await listed(asker, `?documentId=${document.id}`)], [[], []]);
  assert.ok((await listed(maker)).includes(request.id));
  await ok(maker, 'POST', `${signatures}/${request.id}/void`, { reason: 'Ended by its owner' });
});

test('what was signed of something that is erased since is given by no link and shown to nobody, before bins are emptied', async () => {
  const {
    id,
    tokens: [token = ''],
    documentId,
  } = await out();
  const sealed = createHash('sha256').update(id).digest('hex');
  const completed =
    "status = 'completed', completed_at = now(), sealed_at = now(), sealed_version = 1, sealed_sha256 = $2, seal_level = 'B-B'";
  await sql(`UPDATE signature_request SET ${completed}, time_source = 'service' WHERE id = $1`, id, sealed);
  assert.equal((await send(undefined, 'GET', link(token, '/sealed'))).status, 200);
  assert.equal((await requestBySeal(chancery.database, sealed))?.id, id);
  await chancery.database.inTeam(team.id, (db) =>
    endDocumentOf({ db, team: team.id, actor: { type: 'system' }, now: new Date(), requestId: 'erase', listeners: [] }, documentId),
  );
  for (const verb of ['', '/sealed', '/document']) await refused(send(undefined, 'GET', link(token, verb)), 404, 'signing_link_not_found');
  await refused(send(undefined, 'POST', link(token, '/open')), 404, 'signing_link_not_found');
  await refused(sign(token), 404, 'signing_link_not_found');
  for (const by of [maker, team.owner]) {
    await refused(send(by, 'GET', `${signatures}/${id}`), 404, 'not_found');
    await refused(send(by, 'GET', `${signatures}/${id}/evidence`), 404, 'not_found');
    const listed = await ok(by, 'GET', `${signatures}/?limit=500`);
    assert.ok(!listed.some((one: { id: string }) => one.id === id));
  }
  assert.equal(await requestBySeal(chancery.database, sealed), undefined);
});

test('what has failed is not tried again while its document is in the bin, which would be emptied of it', async () => {
  const { id, documentId } = await out();
  await sql("UPDATE signature_request SET status = 'failed', step = 'seal', error = 'away' WHERE id = $1", id);
  await ok(maker, 'DELETE', `${documents}/${documentId}`);
  for (const by of [maker, team.owner]) await refused(send(by, 'POST', `${signatures}/${id}/retry`), 409, 'nothing_to_retry');
  await ok(maker, 'POST', `${documents}/${documentId}/restore`);
  assert.equal((await ok(maker, 'POST', `${signatures}/${id}/retry`)).status, 'sealing');
  await refused(send(maker, 'DELETE', `${documents}/${documentId}`), 409, 'signature_pending');
});
