import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type User } from '../../../../test/harness.ts';
import { counted, stranger, link, days, signatureCalls, signatureTeam } from '../../../../test/signature-requests.ts';
import { signatures } from '../../../../test/signatures.ts';

let chancery: Chancery;
let creator: User;

before(async () => {
  chancery = await sharedChancery();
  ({ creator } = await signatureTeam(chancery));
});

const { send, read, sign, sql, out, due } = signatureCalls(
  () => chancery,
  () => creator,
);

const mixed = <T>(n: number, one: () => Promise<T>, other: () => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, at) => (at % 2 === 0 ? one() : other())));

test('of concurrent actions one succeeds: double signing, two last signers, and declining, voiding or expiring against signing', async () => {
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
      () => send(creator, 'POST', `${signatures}/${taken.id}/void`, { reason: 'Changed' }),
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
