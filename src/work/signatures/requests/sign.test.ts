import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { stranger, link, broken, days, refused, signatureCalls, signatureTeam } from '../../../../test/signature-requests.ts';
import { linkTo, pdfDocument, signatures } from '../../../../test/signatures.ts';
import { actRefusal, turnOf } from './policy.ts';
import { moves, states } from './states.ts';

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

test('signers sign in turns, each once, and a chain of JWS proves each action; only the JWS has the network address', async () => {
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
  const misspelt = await refused(sign(token, { fields: { seen: true, town: 'Bonn', twon: 'x' } }), 422, 'fields_invalid');
  assert.equal(misspelt.body.errors[0].reason, 'is unknown; did you mean `town`?');
  // As many characters as are legible in a box of that size, on all its lines.
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
    await refused(sign(token, { ...filled, signature: { kind: 'drawn', data } }), 422, 'signature_image_invalid');
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
  await refused(send(creator, 'POST', `${signatures}/${request.id}/void`, { reason: 'Too late' }), 409, 'request_sealing');
  await refused(send(creator, 'POST', `${signatures}/${request.id}/remind`), 409, 'request_sealing');
  await refused(send(creator, 'POST', `${signatures}/${request.id}/signers/${request.signers[0].id}/resend`), 409, 'request_sealing');
  await refused(send(creator, 'POST', `${signatures}/${request.id}/extend`, { expiresAt: days(90) }), 409, 'request_sealing');
  await refused(
    send(creator, 'PATCH', `${signatures}/${request.id}/signers/${request.signers[0].id}`, { name: 'B' }),
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
  const proofs = await ok(creator, 'GET', `${signatures}/${request.id}/evidence`);
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

test('a member must sign in with the account to sign, and sees nothing before', async () => {
  const request = await out({ signers: [{ email: marcus.email, name: 'Marcus' }] });
  const [token = ''] = request.tokens;
  const locked = {
    status: 'pending',
    signInRequired: true,
    maskedEmail: `${marcus.email[0]}…${marcus.email.split('@')[0]?.at(-1)}@example.org`,
  };
  for (const by of [undefined, creator, team.owner, (await chancery.team()).owner])
    assert.deepEqual(await ok(by, 'GET', link(token)), locked);
  const detailFor = async (by?: User) => (await send(by, 'POST', link(token, '/open'))).body.detail;
  assert.match(await detailFor(), /^This request is for a member/);
  const other = await detailFor(team.owner);
  assert.match(other, /^You are signed in with another account/);
  assert.doesNotMatch(other, /@/);
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

test('names with invisible or deceptive characters are rejected, typed or drawn', async () => {
  const fields = [{ id: 'town', kind: 'text', page: 1, x: 1, y: 1, width: 90, height: 20 }];
  const request = await out({ signers: [stranger({ fields })] });
  const [token = ''] = request.tokens;
  for (const name of ['\u200b', '\u3164', 'A\u200bda', 'Ada\ud800', 'Ada\u200f', 'Ada\u202eemcA']) {
    await refused(sign(token, { name, fields: { town: 'Aarhus' } }), 400, 'validation_failed');
    await refused(sign(token, { signature: { kind: 'typed', data: name }, fields: { town: 'Aarhus' } }), 422, 'signature_image_invalid');
    await refused(sign(token, { fields: { town: name } }), 422, 'fields_invalid');
    await refused(send(creator, 'PATCH', `${signatures}/${request.id}/signers/${request.signers[0].id}`, { name }), 422, 'signer_invalid');
  }
  assert.equal((await sign(token, { fields: { town: 'Aarhus' } })).body.status, 'sealing');
});

test('texts for signers cannot change the direction of other texts', async () => {
  const document = await pdfDocument(chancery, creator);
  const place = { kind: 'text', page: 1, x: 1, y: 1, width: 9, height: 9 };
  const ask = (members: object) => send(creator, 'POST', `${signatures}/`, { documentId: document.id, signers: [stranger()], ...members });
  for (const text of ['I pay \u202e000,1\u202c EUR', 'a \u2067b', 'a\u0085b', 'half \ud800 of one']) {
    await refused(ask({ consentAddition: text }), 400, 'validation_failed');
    await refused(ask({ message: text }), 400, 'validation_failed');
    await refused(ask({ signers: [stranger({ fields: [{ ...place, label: text }] })] }), 422, 'signer_invalid');
  }
  const plain = 'First line,\nthe second: \u200fשלום\u200e 👩\u200d👧';
  const made = await ask({ consentAddition: plain, message: plain, signers: [stranger({ fields: [{ ...place, label: plain }] })] });
  assert.deepEqual([made.status, made.body.message, made.body.consentAddition], [201, plain, plain], made.text);
});

test('statuses change only as the table allows, and the turn follows from the signatures', () => {
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
