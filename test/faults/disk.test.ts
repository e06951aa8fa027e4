import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import process from 'node:process';
import pg from 'pg';
import { createTestDatabase, testPool } from '../postgres.ts';
import { signUp } from '../sign-up.ts';
import { type Spawned, spawnService } from '../spawned.ts';
import { eventually } from '../webhook-receiver.ts';

const documents = '/api/v1/smartdoc/documents/';
const folders = '/api/v1/smartdoc/folders/';

type Got = { status: number; headers: Headers; body: any };
/** Returns functions that send the operations of the tests for one user of a service. */
function caller(service: Spawned, token: string) {
  const send = async (method: string, path: string, body?: FormData | object): Promise<Got> => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      // Uses the content type, because the random bytes of a document can begin like JSON.
      body: /[/+]json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    };
  };
  return {
    send,
    upload: (bytes: number) => {
      const form = new FormData();
      form.set('title', `Of ${bytes} bytes`);
      form.set('file', new Blob([randomBytes(bytes)]), 'a.bin');
      return send('POST', documents, form);
    },
  };
}

async function filesIn(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
}

/** A rejection for lack of storage is a problem document without internal names. */
function assertRefused({ status, headers, body }: Got, statuses: readonly number[]): void {
  assert.ok(statuses.includes(status), `${status} ${JSON.stringify(body)}`);
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.doesNotMatch(JSON.stringify(body), /ENOSPC|EFBIG|ENOTDIR|EACCES|relation|pg_|\/tmp/);
}

describe('a data folder that cannot be written', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let pool: pg.Pool;
  let dataDir: string;
  let service: Spawned;
  let by: ReturnType<typeof caller>;
  before(async () => {
    database = await createTestDatabase();
    pool = testPool(database.url, 2);
    dataDir = await mkdtemp(join(tmpdir(), 'chancery-disk-'));
    service = await spawnService(
      {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        MASTER_KEY: randomBytes(32).toString('hex'),
        MAX_UPLOAD_MB: '4',
        LOG_LEVEL: 'error',
      },
      ['--role', 'api'],
    );
    by = caller(service, await signUp(service.url));
  });
  after(async () => {
    await service.stop();
    await pool.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /**
   * Checks that uploads are rejected while the disk is broken and leave no partial files. Other requests succeed, and uploads work after the repair.
   */
  async function assertUnchanged(breakIt: () => Promise<void>, mendIt: () => Promise<void>, statuses: readonly number[]): Promise<void> {
    const kept = await by.upload(2_000_000);
    assert.equal(kept.status, 201);
    const counts = async () =>
      (
        await pool.query(
          'SELECT (SELECT count(*)::int FROM document) AS documents, (SELECT count(*)::int FROM document_version) AS versions',
        )
      ).rows[0];
    const stored = { ...(await counts()), files: await filesIn(join(dataDir, 'files')) };
    await breakIt();
    try {
      const answers = await Promise.all(Array.from({ length: 20 }, () => by.upload(2_000_000)));
      for (const answer of answers) assertRefused(answer, statuses);
      assert.equal((await by.send('POST', folders, { name: `Meanwhile ${Math.random()}` })).status, 201, 'changes without a file succeed');
      assert.equal((await by.send('GET', `${documents}${kept.body.id}/content`)).status, 200, 'reading succeeds');
      const [form, headers] = [new FormData(), { 'sec-fetch-site': 'none' }];
      form.set('file', new Blob([randomBytes(2_000_000)]), 'signed.pdf');
      const looked = await fetch(`${service.url}/verify`, { method: 'POST', body: form, headers });
      assert.deepEqual([looked.status, Number(looked.headers.get('retry-after')) > 0], [503, true], await looked.text());
      assert.equal((await by.send('GET', '/readyz')).status, 200);
    } finally {
      await mendIt();
    }
    assert.deepEqual({ ...(await counts()), files: await filesIn(join(dataDir, 'files')) }, stored, 'no partial file or row remains');
    assert.equal((await by.upload(2_000_000)).status, 201, 'uploads succeed without a restart');
  }

  test('above the file size limit of the system an upload gets 507 and leaves no partial file, other requests succeed, and uploads recover', async (t) => {
    const limit = (bytes: string) => spawnSync('prlimit', ['--pid', String(service.child.pid), `--fsize=${bytes}`]).status === 0;
    if (!limit('unlimited')) {
      t.skip('prlimit of util-linux (Linux) sets the limit of a running process');
      return;
    }
    await assertUnchanged(
      async () => assert.ok(limit('1000000:unlimited')),
      async () => assert.ok(limit('unlimited')),
      [507],
    );
  });

  test('uploads get 503 with Retry-After while the data folder is not a folder, and recover without a restart', async () => {
    const incoming = join(dataDir, 'files', 'incoming');
    await assertUnchanged(
      async () => {
        await rename(incoming, join(dataDir, 'aside'));
        await writeFile(incoming, '');
      },
      async () => {
        await rm(incoming);
        await rename(join(dataDir, 'aside'), incoming);
      },
      [503],
    );
    await assertUnchanged(
      () => rename(incoming, join(dataDir, 'aside')),
      () => rename(join(dataDir, 'aside'), incoming),
      [503],
    );
    assert.match(service.output(), /ENOENT|cannot be used/, 'the log reports the error to the operator');
  });
});

test(
  'with a full disk, the database and the files reject changes with instructions, and accept them again when there is space',
  { timeout: 600_000 },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'chancery-full-'));
    await chmod(folder, 0o755);
    const mounted =
      process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', folder]).status === 0;
    if (!mounted) {
      await rm(folder, { recursive: true });
      t.skip('mounting a small file system requires root');
      return;
    }
    let service: Spawned | undefined;
    try {
      const dataDir = join(folder, 'data');
      await mkdir(dataDir);
      service = await spawnService({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
      const by = caller(service, await signUp(service.url));
      const names = new Set<string>();
      const write = async () => {
        // Random names do not compress, so the database soon needs another page.
        const name = `Folder ${randomBytes(8).toString('hex')}`;
        const answer = await by.send('POST', folders, { name, note: randomBytes(7_000).toString('hex') });
        if (answer.status === 201) names.add(name);
        return answer;
      };
      assert.equal((await write()).status, 201);
      assert.equal((await by.upload(100_000)).status, 201);

      const filler = join(folder, 'filler');
      const fill = async () => {
        for (const size of [1_000_000, 4_096])
          for (let room = true; room;)
            room = await appendFile(filler, Buffer.alloc(size)).then(
              () => true,
              () => false,
            );
      };
      await fill();
      assertRefused(await by.upload(100_000), [507, 503]);
      let refused = 0;
      for (let sent = 0; sent < 400 && refused < 40; sent += 1) {
        const answer = await write();
        if (answer.status === 201) continue;
        assert.equal(answer.status, 503, JSON.stringify(answer.body));
        assert.ok(Number(answer.headers.get('retry-after')) > 0);
        refused += 1;
        if (refused === 5) await fill();
      }
      assert.ok(refused >= 40, 'the database also ran out of space');

      await rm(filler);
      await eventually('changes succeed again', async () => (await write()).status === 201);
      assert.equal((await by.upload(100_000)).status, 201, 'uploads succeed again');
      const list: { name: string }[] = (await by.send('GET', folders)).body;
      assert.deepEqual(
        new Set(list.map(({ name }) => name)),
        names,
        'everything with a 201 response exists, and nothing that was rejected',
      );
      assert.equal(await service.stop(), 0);
    } finally {
      await service?.kill();
      spawnSync('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    }
  },
);
