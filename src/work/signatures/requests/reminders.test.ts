import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import {
  counted,
  address,
  stranger,
  link,
  yes,
  days,
  refused,
  signatureCalls,
  signatureTeam,
} from '../../../../test/signature-requests.ts';
import { askToSign, linkTo, signatures } from '../../../../test/signatures.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  chancery = await sharedChancery();
  ({ team, creator } = await signatureTeam(chancery));
});

const { send, ok, read, sign, sql, out, due } = signatureCalls(
  () => chancery,
  () => creator,
);

test('a paused request cannot be signed, current signers are reminded once a day, and an ended request is 410', async () => {
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
  await ok(creator, 'POST', `${signatures}/${request.id}/remind`);
  const again = await refused(send(creator, 'POST', `${signatures}/${request.id}/remind`), 409, 'reminded_recently');
  assert.ok(Number(again.headers.get('retry-after')) > 80_000);
  const mails = await sql("SELECT text_body FROM mail_message WHERE recipient = $1 AND subject LIKE 'Reminder%'", request.signers[0].email);
  assert.equal(mails.length, 1);
  assert.ok(mails[0].text_body.includes(`/sign/${token}`), 'a reminder has the existing link');
  const declined = await send(undefined, 'POST', link(token, '/decline'), { reason: 'Clause 4' });
  assert.deepEqual(declined.body, { success: true, status: 'declined' });
  for (const verb of ['', '/document', '/sealed']) await refused(send(undefined, 'GET', link(other, verb)), 410, 'signing_closed');
  for (const [verb, body] of [
    ['/open', {}],
    ['/code', {}],
    ['/sign', yes],
    ['/decline', {}],
    ['/delegate', stranger()],
  ] as const)
    await refused(send(undefined, 'POST', link(other, verb), body), 410, 'signing_closed');
  await refused(send(undefined, 'POST', link(other, '/code/check'), { code: '123456' }), 410, 'signing_closed');
  assert.deepEqual([(await read(request.id)).endReason, (await read(request.id)).signers[0].declineReason], ['Clause 4', 'Clause 4']);
  await refused(send(creator, 'POST', `${signatures}/${request.id}/remind`), 409, 'request_ended');
  await refused(send(creator, 'POST', `${signatures}/${request.id}/signers/${request.signers[1].id}/resend`), 409, 'request_ended');
  await refused(
    send(creator, 'PATCH', `${signatures}/${request.id}/signers/${request.signers[1].id}`, { name: 'B' }),
    409,
    'request_ended',
  );
  await refused(send(creator, 'POST', `${signatures}/${request.id}/retry`), 409, 'nothing_to_retry');
  const failed = await out();
  await sql("UPDATE signature_request SET status = 'failed' WHERE id = $1", failed.id);
  await askToSign(chancery, creator, { documentId: failed.documentId });
  await refused(send(creator, 'POST', `${signatures}/${failed.id}/retry`), 409, 'signature_pending');
});

test('the invitation can be resent five times a day, and the expiry can only be extended', async () => {
  const request = await out({ signers: [stranger({ order: 1 }), stranger({ order: 2 }), stranger({ role: 'copy' })] });
  const [token = ''] = request.tokens;
  const [first, second, copy] = request.signers;
  const again = (of: string) => send(creator, 'POST', `${signatures}/${request.id}/signers/${of}/resend`);
  const mails = () => sql('SELECT text_body FROM mail_message WHERE recipient = $1', first.email);
  for (const { id } of [second, copy]) await refused(again(id), 409, 'signer_not_asked');
  await refused(again(request.id), 404, 'not_found');
  // Fifty concurrent requests send one email, with the existing link.
  const earlier = (await mails()).length;
  const answers = await Promise.all(Array.from({ length: 50 }, () => again(first.id)));
  assert.deepEqual(counted(answers), { '200 pending': 1, '409 resent_recently': 49 });
  const sent = await mails();
  assert.deepEqual([sent.length, sent.at(-1)?.text_body.includes(`/sign/${token}`)], [earlier + 1, true]);
  assert.match(sent.at(-1)?.text_body, /by \w+ \d+, \d{4} at \d\d:\d\d [AP]M UTC\./, 'the deadline names its time zone');
  // A signer who just got an email cannot be reminded.
  await refused(send(creator, 'POST', `${signatures}/${request.id}/remind`), 409, 'reminded_recently');
  for (let time = 2; time <= 5; time += 1) {
    await sql("UPDATE signature_signer SET resent_at = resent_at - interval '11 minutes' WHERE id = $1", first.id);
    assert.equal((await again(first.id)).status, 200);
  }
  await sql("UPDATE signature_signer SET resent_at = resent_at - interval '11 minutes' WHERE id = $1", first.id);
  const wait = Number((await refused(again(first.id), 409, 'resent_recently')).headers.get('retry-after'));
  assert.ok(wait > 80_000, String(wait));
  // The day begins with the first of the five resends.
  await sql("UPDATE signature_signer SET resent_since = resent_since - interval '1 day' WHERE id = $1", first.id);
  for (let time = 1; time <= 5; time += 1) {
    assert.equal((await again(first.id)).status, 200, `time ${time} of the next day`);
    await sql("UPDATE signature_signer SET resent_at = resent_at - interval '11 minutes' WHERE id = $1", first.id);
  }
  await refused(again(first.id), 409, 'resent_recently');
  // The corrected address has a new allowance.
  const corrected = address();
  await ok(creator, 'PATCH', `${signatures}/${request.id}/signers/${first.id}`, { email: corrected });
  await sql("UPDATE signature_signer SET sent_at = sent_at - interval '11 minutes' WHERE id = $1", first.id);
  assert.equal((await again(first.id)).status, 200);
  await sql("UPDATE signature_signer SET resent_at = resent_at - interval '11 minutes' WHERE id = $1", first.id);
  await sql("UPDATE signature_request SET suspended = 'right_lost' WHERE id = $1", request.id);
  await refused(again(first.id), 409, 'request_suspended');
  await sql('UPDATE signature_request SET suspended = NULL WHERE id = $1', request.id);

  const extend = (expiresAt: Date, headers = {}) =>
    send(creator, 'POST', `${signatures}/${request.id}/extend`, { expiresAt: expiresAt.toISOString() }, headers);
  await refused(extend(days(3)), 422, 'expiry_invalid');
  await refused(extend(days(400)), 422, 'expiry_invalid');
  await refused(extend(days(60), { 'if-match': '"1"' }), 412, 'precondition_failed');
  const until = days(60);
  assert.equal((await extend(until)).body.expiresAt, until.toISOString());
  assert.equal((await ok(undefined, 'GET', link(await linkTo(chancery, corrected)))).expiresAt, until.toISOString());
  const [entry] = await sql("SELECT data FROM audit_entry WHERE type = 'signature.extended' AND target_id = $1", request.id);
  assert.equal(entry.data.expiresAt, until.toISOString());
  // An extension and the expiry are concurrent: exactly one of them wins.
  for (let round = 0; round < 3; round += 1) {
    const late = await out();
    await sql("UPDATE signature_request SET expires_at = now() + interval '25 milliseconds' WHERE id = $1", late.id);
    const [tries] = await Promise.all([
      Promise.all(
        Array.from({ length: 20 }, () => send(creator, 'POST', `${signatures}/${late.id}/extend`, { expiresAt: days(9).toISOString() })),
      ),
      due('expiries', new Date()),
    ]);
    await due('expiries', days(1));
    const won = tries.some(({ status }) => status === 200);
    assert.equal((await read(late.id)).status, won ? 'pending' : 'expired');
  }
  await sql("UPDATE signature_request SET expires_at = now() - interval '1 minute' WHERE id = $1", request.id);
  await refused(extend(days(80)), 409, 'request_ended');
  // No email with an invalid link is sent.
  await refused(again(first.id), 409, 'request_ended');
  await refused(send(creator, 'PATCH', `${signatures}/${request.id}/signers/${first.id}`, { name: 'Ada' }), 409, 'request_ended');
  await sql("UPDATE signature_request SET suspended = 'right_lost' WHERE id = $1", request.id);
  await refused(send(creator, 'POST', `${signatures}/${request.id}/resume`), 409, 'request_ended');
  await sql('UPDATE signature_request SET suspended = NULL WHERE id = $1', request.id);
  const unready = await askToSign(chancery, creator);
  await sql(
    "UPDATE signature_request SET status = 'failed', step = 'prepare', error = 'x', ended_at = now(), expires_at = now() - interval '1 minute' WHERE id = $1",
    unready.id,
  );
  await refused(send(creator, 'POST', `${signatures}/${unready.id}/retry`), 409, 'request_ended');
  await sql("UPDATE signature_signer SET sent_at = sent_at - interval '2 days' WHERE id = $1", first.id);
  await refused(send(creator, 'POST', `${signatures}/${request.id}/remind`), 409, 'request_ended');
});

test('the service sends five automatic reminders and expires unsigned requests', async () => {
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
  await refused(sign(request.tokens[0] ?? ''), 410, 'signing_closed');
});

test('a member who left gets no reminders, even if the request is resumed', async () => {
  const leaver = await chancery.user(team);
  const request = await out({ signers: [{ email: leaver.email, name: 'Lee' }] });
  await ok(team.owner, 'DELETE', `/api/v1/team/members/${leaver.id}`);
  assert.equal((await ok(creator, 'POST', `${signatures}/${request.id}/resume`)).suspended, undefined);
  const [mailed] = await sql('SELECT count(*)::int AS n FROM mail_message WHERE recipient = $1', leaver.email);
  await refused(send(creator, 'POST', `${signatures}/${request.id}/remind`), 409, 'signer_excluded');
  await refused(send(creator, 'POST', `${signatures}/${request.id}/signers/${request.signers[0].id}/resend`), 409, 'signer_excluded');
  assert.deepEqual(await sql('SELECT count(*)::int AS n FROM mail_message WHERE recipient = $1', leaver.email), [mailed]);
  // Under another address, the former member gets a new link.
  const { email } = stranger();
  await ok(creator, 'PATCH', `${signatures}/${request.id}/signers/${request.signers[0].id}`, { email });
  assert.equal((await sign(await linkTo(chancery, email))).body.status, 'sealing');
});

test('a list selects the requests of the caller and stalled ones, and shows the last and next email', async () => {
  const [goesOn, suspended, failed, bounced] = [await out({}), await out({}), await out({}), await out({})];
  await sql("UPDATE signature_request SET suspended = 'right_lost' WHERE id = $1", suspended.id);
  await sql("UPDATE signature_request SET status = 'failed' WHERE id = $1", failed.id);
  await sql(
    `INSERT INTO undeliverable_address (team_id, address_hash, status, diagnostic, since, failed_at)
     VALUES ($1, address_hash($1, $2), '5.1.1', 'unknown', now(), now())`,
    team.id,
    bounced.signers[0].email,
  );
  const all = [goesOn, suspended, failed, bounced].map(({ id }) => id);
  const ids = `ids=${all.join('&ids=')}`;
  const listed = async (query: string, by = creator) =>
    (await ok(by, 'GET', `${signatures}/?${ids}&sort=createdAt&${query}`)).map(({ id }: { id: string }) => all.indexOf(id));
  assert.deepEqual(await listed('stalled=true'), [1, 2, 3]);
  assert.deepEqual(await listed('stalled=false'), [0]);
  assert.deepEqual(await listed('requestedBy=me'), [0, 1, 2, 3]);
  assert.deepEqual(await listed('requestedBy=me', team.owner), []);
  assert.deepEqual(await listed(`requestedBy=${creator.id}`, team.owner), [0, 1, 2, 3]);
  assert.deepEqual(await listed('requestedBy=nobody'), []);
  const [signer] = (await read(goesOn.id)).signers;
  assert.equal(signer.lastEmailAt, signer.sentAt);
  await ok(creator, 'POST', `${signatures}/${goesOn.id}/remind`);
  const [reminded] = (await read(goesOn.id)).signers;
  assert.ok(reminded.lastEmailAt > reminded.sentAt, 'a reminder is the last email');
  assert.ok(reminded.nextReminderAt > reminded.lastEmailAt);
});
