import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { bounceAddresses } from './bounce-addresses.ts';
import { rejectionOf } from './rejection.ts';

const [key, old] = [randomBytes(32), randomBytes(32)];

test('an envelope sender names its mail, in any case and after a rotation of the master key', () => {
  const mail = randomUUID();
  const sender = bounceAddresses('bounces@chancery.example', [old]).of(mail);
  for (const given of [sender, sender.toUpperCase(), sender.replace('bounces', 'Other')])
    assert.equal(bounceAddresses('bounces@chancery.example', [key, old]).mailOf(given), mail);
  assert.equal(bounceAddresses('bounces@chancery.example', [key]).mailOf(sender), undefined);
});

test('the longest configured address gives a valid local part', () => {
  const [local = ''] = bounceAddresses(`${'a'.repeat(18)}@chancery.example`, [key])
    .of(randomUUID())
    .split('@');
  assert.equal(local.length, 64);
});

test('every changed character of a token is rejected', () => {
  const addresses = bounceAddresses('b@chancery.example', [key]);
  const sender = addresses.of(randomUUID());
  // The last character has one unused bit, so another character can mean the same bytes.
  for (let at = 2; at < sender.indexOf('@') - 1; at += 1) {
    const other = sender[at] === 'a' ? 'b' : 'a';
    assert.equal(addresses.mailOf(sender.slice(0, at) + other + sender.slice(at + 1)), undefined, sender);
  }
});

test('a rejection has the status code, and a short text of one line without addresses', () => {
  assert.deepEqual(rejectionOf('550 5.1.1 <bob@acme.example>:\r\n unknown\u0000 user bob@acme.example.'), {
    status: '5.1.1',
    diagnostic: '550 5.1.1 …: unknown user …',
  });
  assert.deepEqual(rejectionOf('550 no such user'), { status: '5.0.0', diagnostic: '550 no such user' });
  assert.deepEqual(rejectionOf(' ', '4.4.7'), { status: '4.4.7', diagnostic: '' });
  assert.equal(rejectionOf('x'.repeat(10_000)).diagnostic.length, 300);
});
