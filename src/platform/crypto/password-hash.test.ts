import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { createPasswordHasher, OverloadedError } from './password-hash.ts';

const pepper = randomBytes(32);
const hasher = createPasswordHasher({ concurrency: 2, maxQueue: 64, pepper });
const password = 'CorrectHorse9Battery';

describe('a password hash', () => {
  test('is a PHC string with the parameters, the ID of the pepper, a 16-byte salt and a 32-byte tag', async () => {
    const phc = await hasher.hash(password);
    const found = /^\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=[\w+/]{8}\$([\w+/]{22})\$([\w+/]{43})$/.exec(phc);
    assert.ok(found, phc);
    assert.equal(Buffer.from(found[1] ?? '', 'base64').length, 16);
    assert.equal(Buffer.from(found[2] ?? '', 'base64').length, 32);
  });

  test('matches only its password, and differs each time', async () => {
    const [one, other] = await Promise.all([hasher.hash(password), hasher.hash(password)]);
    assert.notEqual(one, other);
    assert.equal(await hasher.verify(password, one), true);
    for (const wrong of ['correcthorse9battery', `${password} `, password.slice(0, -1), `${password}\0`]) {
      assert.equal(await hasher.verify(wrong, one), false, JSON.stringify(wrong));
    }
  });

  test('matches all Unicode forms of the same characters, and distinguishes long passwords that differ at the end', async () => {
    const phc = await hasher.hash('Zoë-ﬁnds-Ｆｕｌｌ'.normalize('NFC'));
    assert.equal(await hasher.verify('Zoë-ﬁnds-Ｆｕｌｌ'.normalize('NFD'), phc), true);
    assert.equal(await hasher.verify('Zoë-finds-Full', phc), true);
    const long = await hasher.hash(`${'🔑'.repeat(127)}a`);
    assert.equal(await hasher.verify(`${'🔑'.repeat(127)}b`, long), false);
  });

  test('does not match under another pepper, so a stolen table alone is useless', async () => {
    const other = createPasswordHasher({ concurrency: 2, maxQueue: 0, pepper: randomBytes(32) });
    const phc = await hasher.hash(password);
    assert.equal(await other.verify(password, phc), false);
    assert.equal(other.needsRehash(phc), true);
  });

  test('is argon2id of RFC 9106: the test vector of another implementation matches', async () => {
    // Created with @node-rs/argon2 2.2.1 over HMAC-SHA-256(pepper of 32 zero bytes, "CorrectHorse9Battery"), with a salt of 16 bytes of 7.
    const zero = createPasswordHasher({ concurrency: 1, maxQueue: 0, pepper: Buffer.alloc(32) });
    const phc = '$argon2id$v=19$m=19456,t=2,p=1$BwcHBwcHBwcHBwcHBwcHBw$hWFMEoA+uwU1quCDXv0AU4hfLB8KiaLNp4xmc3gAHbo';
    assert.equal(await zero.verify(password, phc), true);
  });
});

describe('without a hash to compare to', () => {
  test('nothing matches, and it costs the same as a comparison', async () => {
    const phc = await hasher.hash(password);
    // The minimum of several attempts of each, alternating, because other load only adds time.
    let [known, unknown] = [Infinity, Infinity];
    for (let n = 0; n < 12; n += 1) {
      known = Math.min(known, await cpuTimeOf(async () => assert.equal(await hasher.verify('wrong', phc), false)));
      unknown = Math.min(unknown, await cpuTimeOf(async () => assert.equal(await hasher.verify('wrong', undefined), false)));
    }
    assert.ok(unknown > known / 2 && unknown < known * 2, `known ${known} ms, unknown ${unknown} ms`);
  });

  test('a text that is not one of our hashes never matches', async () => {
    for (const phc of [
      '',
      'x',
      '$2b$10$abcdefghijklmnopqrstuv',
      '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$dGFn',
      '$argon2id$v=19$m=19456,t=2,p=1$$',
    ]) {
      assert.equal(await hasher.verify('', phc), false, phc);
      assert.equal(hasher.needsRehash(phc), true, phc);
    }
  });
});

test('a hash with weaker parameters still matches and needs a rehash; a stronger one does not', async () => {
  const weak = '$argon2id$v=19$m=8192,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$9ADM9V3y8G7+PXvSD07vz6Sespl2rQ9Z69LleEmlIQ0';
  const zero = createPasswordHasher({ concurrency: 1, maxQueue: 0, pepper: Buffer.alloc(32) });
  assert.equal(await zero.verify(password, weak), true);
  assert.equal(zero.needsRehash(weak), true);
  const current = await zero.hash(password);
  assert.equal(zero.needsRehash(current), false);
  assert.equal(zero.needsRehash(current.replace('m=19456', 'm=8192')), true);
  assert.equal(zero.needsRehash(current.replace('t=2', 't=1')), true);
  assert.equal(zero.needsRehash(current.replace('m=19456', 'm=65536')), false);
  assert.equal(zero.needsRehash(current.replace(/,keyid=[^$]+/, '')), true);
});

describe('the queue', () => {
  test('accepts the configured number of running and waiting calls, and rejects the rest at once', async () => {
    const small = createPasswordHasher({ concurrency: 1, maxQueue: 3, pepper });
    let served = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        small.hash(password).then(
          () => (served += 1),
          (error: unknown) => {
            assert.ok(error instanceof OverloadedError && error.retryAfterSeconds >= 1);
            return Promise.reject(new Error(`refused when ${served} were served`));
          },
        ),
      ),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 46);
    assert.deepEqual(new Set(refused.map(({ reason }) => String(reason))), new Set(['Error: refused when 0 were served']));
    assert.match(await small.hash(password), /^\$argon2id/, 'it works again afterwards');
  });

  test('passes its slot on when a hash fails', async () => {
    const one = createPasswordHasher({ concurrency: 1, maxQueue: 5, pepper });
    // Less memory than argon2 accepts (RFC 9106 §3.1).
    const broken = '$argon2id$v=19$m=1,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcH';
    const outcomes = await Promise.allSettled([one.verify('x', broken), one.verify('x', broken), one.hash('x')]);
    assert.equal(outcomes[2]?.status, 'fulfilled');
    assert.match(await one.hash('x'), /^\$argon2id/);
  });

  test('returns results in groups while other calls wait, and at once when none wait', async () => {
    const one = createPasswordHasher({ concurrency: 1, maxQueue: 12, pepper });
    const groups: number[] = [];
    let open = false;
    const count = (): void => {
      if (open) groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1;
      else groups.push(1);
      open = true;
      setImmediate(() => (open = false));
    };
    await Promise.all(Array.from({ length: 12 }, () => one.hash(password).then(count)));
    // Six results when five calls still wait, three when two do, then one by one.
    assert.deepEqual(groups, [6, 3, 1, 1, 1]);
  });

  test('leaves the event loop and the threads for files free', async () => {
    const hashing = new Set(Array.from({ length: 6 }, () => hasher.hash(password)));
    for (const one of hashing) void one.then(() => hashing.delete(one));
    let reads = 0;
    while (hashing.size > 0) {
      await readFile(new URL(import.meta.url));
      reads += 1;
    }
    // If each read waited for a hash, there would be no more reads than hashes.
    assert.ok(reads > 2 * 6, `${reads} reads`);
  });
});

test('a generated code costs less than a password, keeps the pepper, and is verified with the parameters of its hash', async () => {
  const hashed = await hasher.hashCode('03k7f29qm4xt');
  assert.match(hashed, /^\$argon2id\$v=19\$m=4096,t=1,p=1,keyid=/);
  assert.notEqual(await hasher.hashCode('03k7f29qm4xt'), hashed, 'salted');
  assert.deepEqual([await hasher.verify('03k7f29qm4xt', hashed), await hasher.verify('03k7f29qm4xu', hashed)], [true, false]);
  const elsewhere = createPasswordHasher({ concurrency: 1, maxQueue: 1, pepper: Buffer.alloc(32, 9) });
  assert.equal(await elsewhere.verify('03k7f29qm4xt', hashed), false, 'useless without the pepper');
});
