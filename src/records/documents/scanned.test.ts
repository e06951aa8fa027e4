import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Clamd, startClamd, virus, withoutClamd } from '../../../test/clamd.ts';
import { type Chancery, startChancery, type User } from '../../../test/harness.ts';

const documents = '/api/v1/smartdoc/documents/';
const socket = join('/tmp', `chancery-clamd-${randomUUIDv7()}.sock`);
const skip = { skip: withoutClamd };

let chancery: Chancery;
let owner: User;
let clamd: Clamd | undefined;
before(async () => {
  if (withoutClamd !== false) return;
  chancery = await startChancery({ role: 'api', settings: { CLAMD_ADDRESS: socket } });
  ({ owner } = await chancery.team());
});
after(async () => {
  await clamd?.stop();
  if (withoutClamd === false) await chancery.stop();
});

function upload(path: string, content: string) {
  const form = new FormData();
  form.set('title', 'Scanned');
  form.set('file', new Blob([content]), 'a.txt');
  return chancery.call('POST', path, { token: owner.token, body: form });
}

async function kept(): Promise<number> {
  const files = await readdir(join(chancery.config.DATA_DIR, 'files'), { recursive: true, withFileTypes: true });
  return files.filter((entry) => entry.isFile()).length;
}

test('no upload is accepted while the scanner is unavailable or with a virus; clean files are', skip, async () => {
  const bare = await chancery.document(owner);
  const paths = [documents, `${documents}${bare.id}/versions`];
  for (const path of paths) {
    const away = await upload(path, 'clean');
    assert.deepEqual([away.status, away.body.code, away.headers.get('retry-after')], [503, 'unavailable', '30']);
  }
  clamd = await startClamd({ LocalSocket: socket });
  for (const path of paths) {
    const infected = await upload(path, `a file ${virus.bytes} of theirs`);
    assert.deepEqual([infected.status, infected.body.code, infected.body.signature], [422, 'file_infected', virus.signature]);
  }
  assert.equal(await kept(), 0);
  for (const path of paths) assert.equal((await upload(path, 'clean')).status, 201);
  assert.equal(await kept(), 2);
});
