import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { documents, stranger, link, broken, yes, refused, signatureCalls, signatureTeam } from '../../../../test/signature-requests.ts';
import { pdfDocument, signatures } from '../../../../test/signatures.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
let marcus: User;

before(async () => {
  chancery = await sharedChancery();
  ({ team, creator, marcus } = await signatureTeam(chancery));
});

const { send, ok, sign, sql, out } = signatureCalls(
  () => chancery,
  () => creator,
);

test('no response, event or journal entry shows a link, and a wrong link is the same 404 everywhere', async () => {
  const request = await out();
  const [token = ''] = request.tokens;
  await ok(undefined, 'POST', link(token, '/open'));
  const responses = [await send(team.owner, 'GET', `${signatures}/${request.id}`), await send(creator, 'GET', `${signatures}/`)].map(
    ({ text }) => text,
  );
  const kept = await sql('SELECT data::text AS text FROM audit_entry UNION ALL SELECT encode(body, $1) FROM event', 'escape');
  for (const text of [...responses, ...kept.map((row) => row.text)]) assert.ok(!text.includes(token), text);
  const wrong = randomBytes(32).toString('base64url');
  for (const verb of ['', '/document', '/sealed']) await refused(send(undefined, 'GET', link(wrong, verb)), 404, 'signing_link_not_found');
  for (const verb of ['/open', '/code']) await refused(send(undefined, 'POST', link(wrong, verb)), 404, 'signing_link_not_found');
  await refused(send(undefined, 'POST', link(wrong, '/code/check'), { code: '123456' }), 404, 'signing_link_not_found');
  await refused(sign(wrong), 404, 'signing_link_not_found');
  await refused(send(undefined, 'POST', link(wrong, '/decline'), {}), 404, 'signing_link_not_found');
  await refused(send(undefined, 'POST', link(wrong, '/delegate'), stranger()), 404, 'signing_link_not_found');
});

test('an emailed code has six digits, five attempts and a limit of five a day, and its session is bound to the signer', async () => {
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
  assert.equal(right.length, 1, 'a code works only once');
  const session = { 'x-signing-session': right[0]?.headers.get('x-signing-session') ?? '' };
  assert.match(right[0]?.headers.getSetCookie().join() ?? '', /signing=[\w-]{43};[^,]*HttpOnly/);
  assert.equal(
    (await send(undefined, 'GET', link(theirs), undefined, session)).body.codeRequired,
    true,
    'the session is invalid for another signer',
  );
  assert.equal((await send(undefined, 'POST', link(token, '/open'), undefined, session)).status, 200);
  await sql("UPDATE signature_session SET expires_at = now() - interval '1 second'");
  await refused(send(undefined, 'POST', link(token, '/open'), undefined, session), 403, 'code_required');
  for (let n = 0; n < 3; n += 1) await ok(undefined, 'POST', link(token, '/code'));
  for (let n = 0; n < 3; n += 1) {
    const locked = await refused(send(undefined, 'POST', link(token, '/code')), 429, 'code_locked');
    assert.ok(Number(locked.headers.get('retry-after')) > 80_000);
  }
  await refused(check(await codeOf()), 422, 'code_wrong');
  const mails = await sql(
    "SELECT subject FROM mail_message WHERE recipient = $1 AND subject LIKE 'Daily limit of codes reached%'",
    creator.email,
  );
  assert.equal(mails.length, 1);
  await sql("UPDATE signature_signer SET codes_since = codes_since - interval '1 day' WHERE email = $1", ada.email);
  await ok(undefined, 'POST', link(token, '/code'));
  await refused(send(undefined, 'GET', link(theirs, '/sealed')), 403, 'code_required');
  const plain = await out();
  await refused(send(undefined, 'POST', link(plain.tokens[0] ?? '', '/code')), 409, 'code_not_required');
  await refused(send(undefined, 'POST', link(plain.tokens[0] ?? '', '/code/check'), { code: '123456' }), 409, 'code_not_required');
});

test('a caller who may no longer share a document cannot correct a signer, and a link has a rate limit', async () => {
  const document = await pdfDocument(chancery, creator);
  const share = (access: string) => ok(creator, 'POST', `${documents}/${document.id}/access`, { userId: marcus.id, access });
  await share('write');
  const carol = await chancery.user(team, { firstName: 'Carol' });
  const members = { documentId: document.id, signers: [{ email: creator.email, name: 'Priya' }] };
  const request = await out(members, marcus);
  await share('read');
  const signer = `${signatures}/${request.id}/signers/${request.signers[0].id}`;
  await refused(send(marcus, 'PATCH', signer, { email: carol.email, name: 'Carol' }), 403, 'forbidden');

  /** Rejected drawings, then many openings, all by a separate link, and the time that they take. */
  const much = async () => {
    const [token = ''] = (await out()).tokens;
    const began = Date.now();
    // A drawing is checked before it is used, and counts as one action.
    await refused(sign(token, { signature: { kind: 'drawn', data: broken } }), 422, 'signature_image_invalid');
    const opens = await Promise.all(Array.from({ length: 125 }, () => send(undefined, 'POST', link(token, '/open'))));
    return { opens, ms: Date.now() - began };
  };
  let { opens, ms } = await much();
  // On a busy machine, the minute can end before the requests.
  for (let tries = 0; ms >= 60_000 && tries < 3; tries += 1) ({ opens, ms } = await much());
  const over = opens.filter(({ status }) => status === 429);
  assert.deepEqual([over.length, over[0]?.body.code, opens.filter(({ status }) => status === 200).length], [6, 'rate_limited', 119]);
});

test('a stored response under a key is returned only to visitors who still have access', async () => {
  const keyed = (token: string, verb: string, body: object = {}, headers: Record<string, string> = {}) =>
    send(undefined, 'POST', link(token, verb), body, { 'idempotency-key': 'again', ...headers });
  const replayed = ({ status, headers }: TestResponse) => [status, headers.get('idempotency-replayed')];
  const signersOfRequest = { signers: [stranger(), stranger({ name: 'Grace' })] };
  // The link is valid: the same response. The request was voided: none.
  const plain = await out(signersOfRequest);
  const [token = '', other = ''] = plain.tokens;
  assert.equal((await keyed(token, '/open')).status, 200);
  assert.deepEqual(replayed(await keyed(token, '/open')), [200, 'true']);
  assert.equal((await keyed(other, '/sign', yes)).status, 200);
  assert.deepEqual(replayed(await keyed(other, '/sign', yes)), [200, 'true']);
  await ok(creator, 'POST', `${signatures}/${plain.id}/void`, { reason: 'Wrong file' });
  for (const answer of [
    await refused(keyed(token, '/open'), 410, 'signing_closed'),
    await refused(keyed(other, '/sign', yes), 410, 'signing_closed'),
  ])
    assert.equal(answer.headers.get('idempotency-replayed'), null);
  // The signer who ended the request gets the response again.
  const declined = await out(signersOfRequest);
  for (const again of [null, 'true']) assert.deepEqual(replayed(await keyed(declined.tokens[0] ?? '', '/decline')), [200, again]);
  // A repetition also needs the emailed code, and a wrong code reveals nothing about the right one.
  const coded = await out({ ...signersOfRequest, requireCode: true });
  const [guarded = ''] = coded.tokens;
  await ok(undefined, 'POST', link(guarded, '/code'), {});
  const [mail] = await sql('SELECT text_body FROM mail_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1', coded.signers[0].email);
  const code = /: (\d{6})/.exec(mail.text_body)?.[1] ?? '';
  const session = (await keyed(guarded, '/code/check', { code })).headers.get('x-signing-session') ?? '';
  assert.equal((await keyed(guarded, '/code/check', { code })).headers.get('x-signing-session'), session);
  await refused(keyed(guarded, '/code/check', { code: code === '000000' ? '000001' : '000000' }), 422, 'code_wrong');
  assert.equal((await keyed(guarded, '/open', {}, { 'idempotency-key': 'opened', 'x-signing-session': session })).status, 200);
  await refused(keyed(guarded, '/open', {}, { 'idempotency-key': 'opened' }), 403, 'code_required');
  // A barrier excludes a member from content that the member saw before.
  const member = await out({ signers: [{ email: marcus.email, name: 'Marcus' }, stranger()] });
  const opened = () => send(marcus, 'POST', link(member.tokens[0] ?? '', '/open'), {}, { 'idempotency-key': 'member' });
  assert.equal((await opened()).status, 200);
  assert.equal((await keyed(member.tokens[0] ?? '', '/open', {}, { 'idempotency-key': 'member' })).status, 403);
  const folder = await ok(creator, 'POST', '/api/v1/smartdoc/folders/', { name: `Barred ${member.id}` });
  await ok(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  await ok(creator, 'PATCH', `${documents}/${member.documentId}/move`, { folderId: folder.id });
  await refused(opened(), 409, 'request_suspended');
});
