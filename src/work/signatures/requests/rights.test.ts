import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { documents, stranger, link, refused, signatureCalls, signatureTeam } from '../../../../test/signature-requests.ts';
import { askToSign, linkTo, outToSign, pdfDocument, signatures } from '../../../../test/signatures.ts';
import { mailAddresses } from '../../../platform/mail/compose.ts';
import { teamMailJob, type MailDependencies } from '../../../platform/mail/jobs.ts';
import { endDocumentOf } from '../../../records/documents/service.ts';
import { mayMailSigner } from './mail-signers.ts';
import { requestBySeal } from './sealed-request.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
let marcus: User;

before(async () => {
  chancery = await sharedChancery();
  ({ team, creator, marcus } = await signatureTeam(chancery));
});

const { send, ok, read, sign, sql, out, due } = signatureCalls(
  () => chancery,
  () => creator,
);

test('the rights of the requester are checked at each turn, and a request without them is suspended until it is resumed', async () => {
  const document = await pdfDocument(chancery, creator);
  const grant = await ok(creator, 'POST', `${documents}/${document.id}/access`, { userId: marcus.id, access: 'write' });
  const [olivia, zoe] = [team.owner, await chancery.user(team, { firstName: 'Zoe' })];
  const signers = [
    { email: olivia.email, name: 'Olivia', order: 1 },
    { email: zoe.email, name: 'Zoe', order: 2 },
  ];
  const made = await askToSign(chancery, marcus, { documentId: document.id, signers });
  const [token = ''] = await outToSign(chancery, made.id);
  assert.equal((await sign(token, {}, olivia)).status, 200);
  const theirs = await linkTo(chancery, zoe.email);
  await refused(send(olivia, 'POST', `${signatures}/${made.id}/resume`), 409, 'request_not_suspended');
  await ok(creator, 'DELETE', `${documents}/${document.id}/access/${grant.id}`);
  for (const verb of ['/open', '/delegate', '/decline'])
    await refused(send(zoe, 'POST', link(theirs, verb), verb === '/delegate' ? stranger() : {}), 409, 'request_suspended');
  await refused(send(zoe, 'GET', link(theirs)), 409, 'request_suspended');
  await refused(send(zoe, 'GET', link(theirs, '/document')), 409, 'request_suspended');
  await refused(sign(theirs, {}, zoe), 409, 'request_suspended');
  await sql("UPDATE signature_request SET suspended = 'right_lost' WHERE id = $1", made.id);
  await refused(send(olivia, 'POST', `${signatures}/${made.id}/remind`), 409, 'request_suspended');
  await refused(send(marcus, 'POST', `${signatures}/${made.id}/resume`), 403, 'forbidden');
  await ok(creator, 'POST', `${documents}/${document.id}/access`, { userId: marcus.id, access: 'read' });
  await refused(send(marcus, 'POST', `${signatures}/${made.id}/resume`), 403, 'forbidden');
  const resumed = await ok(olivia, 'POST', `${signatures}/${made.id}/resume`);
  assert.deepEqual([resumed.suspended, resumed.requestedBy], [undefined, olivia.id]);
  await ok(zoe, 'POST', link(theirs, '/open'));

  // A signer leaves the team: the request is suspended, and the requester and the administrators are notified.
  await ok(olivia, 'DELETE', `/api/v1/team/members/${zoe.id}`);
  assert.equal((await ok(olivia, 'GET', `${signatures}/${made.id}`)).suspended, 'signer_left');
  const suspensionMails = await sql(
    "SELECT DISTINCT recipient FROM mail_message WHERE team_id = $1 AND subject LIKE 'Signature request suspended%'",
    olivia.team,
  );
  assert.deepEqual(
    suspensionMails.map(({ recipient }) => recipient),
    [olivia.email],
  );
});

test('a request behind a barrier is hidden from excluded members, and its events have only IDs', async () => {
  const folder = await chancery.folder(creator);
  const document = await pdfDocument(chancery, creator, { folderId: folder.id, title: 'Nightingale' });
  await ok(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  await refused(
    send(creator, 'POST', `${signatures}/`, { documentId: document.id, signers: [{ email: marcus.email, name: 'Marcus' }] }),
    422,
    'signer_invalid',
  );
  const request = await out({ documentId: document.id, signers: [stranger()] });
  const client = await chancery.client(team.owner);
  for (const by of [team.owner, client]) {
    await refused(send(by, 'GET', `${signatures}/${request.id}`), 404, 'not_found');
    await refused(send(by, 'POST', `${signatures}/${request.id}/void`, { reason: 'Outside' }), 404, 'not_found');
    assert.ok(!(await ok(by, 'GET', `${signatures}/?limit=500`)).some(({ id }: { id: string }) => id === request.id));
  }
  assert.equal((await sign(request.tokens[0] ?? '')).status, 200);
  const said = await sql("SELECT type, data::text AS data FROM audit_entry WHERE target_id = $1 AND type LIKE 'signature.%'", request.id);
  assert.ok(said.length >= 2 && said.every(({ data }) => !data.includes('Nightingale')), JSON.stringify(said));
});

test('a later barrier excludes members from documents to sign and from signed ones, and no email names the document', async () => {
  const folder = await chancery.folder(creator);
  const barrier = `/api/v1/smartdoc/folders/${folder.id}/barrier`;
  const member = { email: marcus.email, name: 'Marcus' };
  const barred = async (title: string) =>
    out({ documentId: (await pdfDocument(chancery, creator, { folderId: folder.id, title })).id, signers: [member] });
  const [signed, waiting] = [await barred('Kestrel'), await barred('Heron')];
  const [token = ''] = signed.tokens;
  assert.equal((await sign(token, {}, marcus)).body.status, 'sealing');
  await ok(creator, 'PUT', barrier, { userIds: [] });
  const looks = async () => [await send(marcus, 'GET', link(token)), await send(marcus, 'GET', link(token, '/sealed'))];
  assert.equal((await looks())[0]?.status, 410);
  await sql("UPDATE signature_request SET status = 'completed', completed_at = now(), ended_at = now() WHERE id = $1", signed.id);
  await sql('UPDATE signature_request_document SET sealed_version = 1 WHERE request_id = $1', signed.id);
  assert.deepEqual(
    (await looks()).map(({ status, body }) => [status, body.code]),
    [
      [410, 'signing_closed'],
      [410, 'signing_closed'],
    ],
  );
  // The response states that no email is sent. Nothing is counted or recorded. The same applies to automatic reminders.
  await sql("UPDATE signature_signer SET remind_at = sent_at + interval '1 minute' WHERE request_id = $1", waiting.id);
  const later = new Date(Date.now() + 2 * 86_400_000);
  await refused(send(creator, 'POST', `${signatures}/${waiting.id}/remind`), 409, 'signer_excluded');
  await due('reminders', later);
  await refused(send(creator, 'POST', `${signatures}/${waiting.id}/signers/${waiting.signers[0].id}/resend`), 409, 'signer_excluded');
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
  await ok(creator, 'DELETE', barrier);
  const fetched = await fetch(`${chancery.url}${link(token, '/sealed')}`, { headers: { authorization: `Bearer ${marcus.token}` } });
  await fetched.arrayBuffer();
  assert.deepEqual([(await send(marcus, 'GET', link(token))).status, fetched.status], [200, 200]);
});

test('an excluded signer gets no code, and a queued email to them is not sent', async () => {
  const folder = await chancery.folder(creator);
  const barrier = `/api/v1/smartdoc/folders/${folder.id}/barrier`;
  const document = await pdfDocument(chancery, creator, { folderId: folder.id, title: 'Goshawk' });
  const signers = [{ email: marcus.email, name: 'Marcus' }, stranger()];
  const request = await out({ documentId: document.id, requireCode: true, signers });
  const [token = '', outside = ''] = request.tokens;
  await ok(creator, 'POST', `${signatures}/${request.id}/remind`);
  for (const [by, at] of [
    [marcus, token],
    [undefined, outside],
  ] as const)
    await ok(by, 'POST', link(at, '/code'));
  const waiting = () =>
    sql("SELECT id, recipient, subject FROM mail_message WHERE team_id = $1 AND subject LIKE '%Goshawk%' ORDER BY id", team.id);
  const written = (await waiting()).map(({ recipient }) => recipient).toSorted();
  assert.deepEqual(written, [marcus.email, marcus.email, signers[1]?.email, signers[1]?.email].toSorted(), 'a reminder and a code each');
  await ok(creator, 'PUT', barrier, { userIds: [] });
  await refused(send(marcus, 'POST', link(token, '/code')), 409, 'request_suspended');
  assert.equal((await waiting()).length, 4);
  const sent: string[] = [];
  const deps: MailDependencies = {
    database: chancery.database,
    transport: { send: async ({ to }) => void sent.push(to), verify: async () => undefined, close: () => undefined },
    exceeded: () => undefined,
    bounced: () => undefined,
    addresses: mailAddresses({ BASE_URL: 'https://chancery.example' }),
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
    'an unsent email is not stored',
  );
  await ok(creator, 'DELETE', barrier);
  await ok(marcus, 'POST', link(token, '/code'));
});

test('a signer who became a member outside of the barrier gets no email about the document', async () => {
  const folder = await chancery.folder(creator);
  const document = await pdfDocument(chancery, creator, { folderId: folder.id, title: 'Peregrine' });
  await ok(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  const second = stranger({ order: 2 });
  const request = await out({ documentId: document.id, signers: [stranger({ order: 1 }), second] });
  const joined = await chancery.user(team);
  await sql('UPDATE person SET email = $2, email_key = $2 WHERE id = $1', joined.id, second.email);
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

test('the owner of a request views and manages it, and so does the successor; the owner of the document does not', async () => {
  const [requester, successor] = [await chancery.user(team), await chancery.user(team)];
  const document = await pdfDocument(chancery, creator);
  await ok(creator, 'POST', `${documents}/${document.id}/access`, { userId: requester.id, access: 'write' });
  const request = await out({ documentId: document.id, signers: [{ email: marcus.email, name: 'Marcus' }] }, requester);
  const listed = async (by: User, query = '') => (await ok(by, 'GET', `${signatures}/${query}`)).map(({ id }: any) => id);
  assert.deepEqual([await listed(requester), await listed(requester, `?documentId=${document.id}`)], [[request.id], [request.id]]);
  for (const [query, found] of [
    ['?requestedBy=me', [request.id]],
    [`?requestedBy=${requester.id}`, [request.id]],
    [`?requestedBy=${successor.id}`, []],
    ['?requestedBy=nobody', []],
  ] as const)
    assert.deepEqual(await listed(requester, query), found, query);
  for (const by of [creator, successor]) {
    assert.ok(!(await listed(by, '?limit=500')).includes(request.id));
    for (const [method, verb, body] of [
      ['GET', '', undefined],
      ['GET', '/evidence', undefined],
      ['POST', '/void', { reason: 'Mine' }],
      ['POST', '/remind', {}],
      ['PATCH', `/signers/${request.signers[0].id}`, { name: 'M.' }],
    ] as const)
      await refused(send(by, method, `${signatures}/${request.id}${verb}`, body), 404, 'not_found');
  }
  await ok(team.owner, 'DELETE', `/api/v1/team/members/${requester.id}?successorId=${successor.id}`);
  assert.deepEqual(await listed(successor), [request.id]);
  const { createdBy } = await ok(successor, 'POST', `${signatures}/${request.id}/void`, { reason: 'Ended by its owner' });
  assert.equal(createdBy, requester.id);
});

test('a barrier hides a request from an excluded requester and stops emails about it', async () => {
  const folder = await chancery.folder(creator);
  const document = await pdfDocument(chancery, creator, { folderId: folder.id, title: 'Sparrowhawk' });
  const requests: any[] = [];
  for (const title of ['Sparrowhawk', 'Merlin']) {
    const { id: documentId } = title === 'Merlin' ? await pdfDocument(chancery, creator, { folderId: folder.id, title }) : document;
    requests.push(await out({ documentId, signers: [stranger()] }, team.owner));
  }
  const [barred, open] = requests;
  const expire = async (request: any) => {
    await sql("UPDATE signature_request SET expires_at = now() - interval '1 hour' WHERE id = $1", request.id);
    await due('expiries', new Date());
  };
  const mails = () => sql("SELECT 1 FROM mail_message WHERE recipient = $1 AND subject ~ 'Sparrowhawk|Merlin'", team.owner.email);
  await expire(open);
  assert.equal((await mails()).length, 1);
  await ok(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  await expire(barred);
  assert.equal((await sql('SELECT status FROM signature_request WHERE id = $1', barred.id))[0].status, 'expired');
  assert.equal((await mails()).length, 1);
  await refused(send(team.owner, 'GET', `${signatures}/${barred.id}`), 404, 'not_found');
});

test('emergency access lets an administrator read a request without changing it', async () => {
  const folder = await chancery.folder(creator);
  const [admin, second] = [await chancery.user(team, { role: 'admin' }), team.owner];
  const document = await pdfDocument(chancery, creator, { folderId: folder.id, title: 'Goldcrest' });
  const request = await out({ documentId: document.id, signers: [stranger()] });
  const barrier = `/api/v1/smartdoc/folders/${folder.id}/barrier`;
  await ok(creator, 'PUT', barrier, { userIds: [] });
  await refused(send(admin, 'GET', `${signatures}/${request.id}`), 404, 'not_found');
  const emergency = await ok(admin, 'POST', `/api/v1/barriers/${folder.id}/emergency-access`, { reason: 'An erasure request' });
  await ok(second, 'POST', `/api/v1/barriers/${folder.id}/emergency-access/${emergency.id}/approve`);
  assert.equal((await ok(admin, 'GET', `${signatures}/${request.id}`)).title, 'Goldcrest');
  await ok(admin, 'GET', `${signatures}/${request.id}/evidence`);
  await refused(send(admin, 'POST', `${signatures}/${request.id}/void`, { reason: 'Emergency' }), 403, 'forbidden');
});

test('an erased document is not available by any link or request, even before the bin is emptied', async () => {
  const {
    id,
    tokens: [token = ''],
    documentId,
  } = await out();
  const sealed = createHash('sha256').update(id).digest('hex');
  await sql("UPDATE signature_request SET status = 'completed', completed_at = now() WHERE id = $1", id);
  const members = "sealed_at = now(), sealed_version = 1, sealed_sha256 = $2, seal_level = 'B-B', time_source = 'service'";
  await sql(`UPDATE signature_request_document SET ${members} WHERE request_id = $1`, id, sealed);
  assert.equal((await send(undefined, 'GET', link(token, '/sealed'))).status, 200);
  assert.equal((await requestBySeal(chancery.database, sealed))?.id, id);
  await chancery.database.inTeam(team.id, (db) =>
    endDocumentOf({ db, team: team.id, actor: { type: 'system' }, now: new Date(), requestId: 'erase', listeners: [] }, documentId),
  );
  for (const verb of ['', '/sealed', '/document']) await refused(send(undefined, 'GET', link(token, verb)), 404, 'signing_link_not_found');
  await refused(send(undefined, 'POST', link(token, '/open')), 404, 'signing_link_not_found');
  await refused(sign(token), 404, 'signing_link_not_found');
  for (const by of [creator, team.owner]) {
    await refused(send(by, 'GET', `${signatures}/${id}`), 404, 'not_found');
    await refused(send(by, 'GET', `${signatures}/${id}/evidence`), 404, 'not_found');
    const listed = await ok(by, 'GET', `${signatures}/?limit=500`);
    assert.ok(!listed.some((one: { id: string }) => one.id === id));
  }
  assert.equal(await requestBySeal(chancery.database, sealed), undefined);
});
