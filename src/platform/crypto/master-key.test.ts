import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { loadMasterKey } from './master-key.ts';

let folder = '';
let count = 0;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-master-key-'));
});
after(() => rm(folder, { recursive: true }));

const emptyDir = () => join(folder, String((count += 1)));
const given = (configured: string) => loadMasterKey({ configured, dataDir: emptyDir(), generate: 'never' });
const generated = (dataDir: string) => loadMasterKey({ configured: undefined, dataDir, generate: 'if-missing' });

describe('a configured key', () => {
  const key = randomBytes(32);

  test('is the same key in hex, base64 and base64url, with or without padding and a final line break', async () => {
    const spellings = ['hex', 'base64', 'base64url'] as const;
    const texts = [
      ...spellings.map((encoding) => key.toString(encoding)),
      key.toString('base64').replace('=', ''),
      `${key.toString('hex')}\n`,
    ];
    const prints = await Promise.all(texts.map(async (text) => (await given(text)).fingerprint));
    assert.equal(new Set(prints).size, 1);
  });

  test('that is not 32 bytes is rejected with a sentence that does not repeat it', async () => {
    const wrong = [
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      randomBytes(16).toString('hex'),
      `${key.toString('hex').slice(0, 63)}g`,
      `${key.toString('base64').slice(0, 42)}!=`,
      `${key.toString('base64')}=AAAA`,
      'correct horse battery staple and more',
      '',
    ];
    for (const configured of wrong) {
      await assert.rejects(given(configured), (error: Error) => {
        assert.match(error.message, /^MASTER_KEY must be 32 bytes as base64 or hex[^.]*openssl rand -base64 32`\.$/);
        return configured === '' || !error.message.includes(configured);
      });
    }
  });

  test('takes precedence over the file, and creates none', async () => {
    const dataDir = emptyDir();
    await loadMasterKey({ configured: key.toString('base64'), dataDir, generate: 'if-missing' });
    await assert.rejects(stat(dataDir));
  });
});

describe('a generated key', () => {
  test('is readable only for its owner, and is read again at the next start', async () => {
    const dataDir = emptyDir();
    const first = await generated(dataDir);
    assert.deepEqual(await readdir(dataDir), ['master.key']);
    const { mode } = await stat(join(dataDir, 'master.key'));
    assert.equal(mode & 0o777, 0o600);
    const again = await loadMasterKey({ configured: undefined, dataDir, generate: 'never' });
    assert.equal(again.fingerprint, first.fingerprint);
    const copied = await given((await readFile(join(dataDir, 'master.key'), 'utf8')).trim());
    assert.equal(copied.fingerprint, first.fingerprint);
  });

  test('is the same for all processes that start at about the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const dataDir = emptyDir();
      const keys = await Promise.all(Array.from({ length: 20 }, (_, n) => wait(n % 10).then(() => generated(dataDir))));
      assert.equal(new Set(keys.map((key) => key.fingerprint)).size, 1);
      assert.deepEqual(await readdir(dataDir), ['master.key']);
    }
  });

  test('is not created if this is not allowed, and the error names the setting', async () => {
    const dataDir = emptyDir();
    await assert.rejects(loadMasterKey({ configured: undefined, dataDir, generate: 'never' }), /^Error: MASTER_KEY is not set\. Set/);
    await assert.rejects(stat(dataDir));
  });

  test('is never replaced: a file without a key is reported and not changed', async () => {
    const dataDir = emptyDir();
    await generated(dataDir);
    const file = join(dataDir, 'master.key');
    await chmod(file, 0o600);
    await writeFile(file, 'half a k');
    await assert.rejects(generated(dataDir), (error: Error) => error.message.includes(file) && !error.message.includes('half a k'));
    assert.equal(await readFile(file, 'utf8'), 'half a k');
  });

  test('that cannot be read is reported with an instruction', async () => {
    const dataDir = emptyDir();
    // A folder of that name: containers create one for a mounted file that is missing.
    await generated(join(dataDir, 'master.key'));
    await assert.rejects(generated(dataDir), /cannot be read \(EISDIR\)\. Make it readable/);
  });
});

describe('derived keys', () => {
  test('are 32 bytes, deterministic, and different for each purpose and each master key', async () => {
    const [one, other] = await Promise.all([given(randomBytes(32).toString('hex')), given(randomBytes(32).toString('hex'))]);
    assert.equal(one.derive('totp').length, 32);
    assert.deepEqual(one.derive('totp'), one.derive('totp'));
    assert.notDeepEqual(one.derive('totp'), one.derive('codes'));
    assert.notDeepEqual(one.derive('totp'), other.derive('totp'));
    assert.notEqual(one.fingerprint, other.fingerprint);
  });

  test('follow HKDF-SHA-256 (RFC 5869), so that another program can derive them', async () => {
    const master = randomBytes(32);
    const key = await crypto.subtle.importKey('raw', master, 'HKDF', false, ['deriveBits']);
    const info = new TextEncoder().encode('chancery totp');
    const bits = await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, key, 256);
    assert.deepEqual((await given(master.toString('hex'))).derive('totp'), Buffer.from(bits));
  });
});
