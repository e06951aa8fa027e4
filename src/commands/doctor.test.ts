import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { access, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { settingsOf, typedCommand } from '../../test/command-line.ts';
import { ordinaryUser } from '../../test/ordinary-user.ts';
import { type Chancery, startChancery } from '../../test/harness.ts';
import { startSmtpReceiver } from '../../test/smtp-receiver.ts';

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

type CommandOutput = { code: unknown; stdout: string; stderr: string };

/** Runs `doctor` while the service runs. */
async function doctor(args: string[] = ['--files'], more: Record<string, string> = {}): Promise<CommandOutput> {
  const { code, stdout, stderr } = await typedCommand(['doctor', ...args], { ...settingsOf(chancery), ...more });
  return { code, stdout, stderr };
}

const placeOf = (key: string) => join(chancery.config.DATA_DIR, 'files', key.slice(-2), key.slice(-4, -2), key);

async function upload(by: { token: string }): Promise<{ id: string; key: string }> {
  const form = new FormData();
  form.set('title', 'Kept');
  form.set('file', new Blob(['%PDF-1.7']), 'kept.pdf');
  const { body } = await chancery.call('POST', '/api/v1/smartdoc/documents/', { token: by.token, body: form });
  const { rows } = await chancery.pool.query('SELECT storage_key FROM document_version WHERE document_id = $1', [body.id]);
  return { id: body.id, key: rows[0].storage_key };
}

test('doctor shows that secrets are set without their values', async () => {
  const secrets = {
    METRICS_TOKEN: 'collector-5ee7a1b2c3',
    MASTER_KEYS_ACCEPTED: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: 'smtp://user:hunter2secret@127.0.0.1:2525',
    SUGGEST_AUTHORIZATION: 'Token hunter2secret',
    SUGGEST_URL: 'https://photon.example.com/api?key=hunter2secret',
    TIMESTAMP_URL: 'https://tsa.example.com/?key=hunter2secret',
  };
  const { stdout, stderr } = await doctor([], secrets);
  for (const [name, value] of Object.entries({ ...secrets, MASTER_KEY: chancery.masterKey, DATABASE_URL: chancery.databaseUrl })) {
    assert.match(stdout, new RegExp(`^${name}=\\(set\\)`, 'm'));
    assert.ok(!stdout.includes(value) && !stderr.includes(value), name);
  }
});

test('doctor names the file of a secret and does not show its value', async () => {
  const file = join(chancery.config.DATA_DIR, 'metrics-token');
  await writeFile(file, 'collector-5ee7a1b2c3\n');
  const { stdout, stderr } = await doctor([], { METRICS_TOKEN_FILE: file });
  assert.ok(stdout.includes(`\nMETRICS_TOKEN=(in ${file})`));
  assert.doesNotMatch(stdout + stderr, /collector-5ee7a1b2c3/);
});

test('doctor checks the mail server, and in production also the sender address', async () => {
  const smtp = await startSmtpReceiver();
  const production = { NODE_ENV: 'production', BASE_URL: 'https://chancery.example' };
  const said = async (more: Record<string, string>) =>
    /^. mails can be sent.*$/m.exec((await doctor([], { ...production, ...more })).stdout)?.[0];
  try {
    const own = { SMTP_URL: smtp.url, MAIL_FROM: 'Chancery <no-reply@chancery.example>' };
    const outputs = await Promise.all([
      said({}),
      said({ SMTP_URL: smtp.url }),
      said(own),
      said({ ...own, SMTP_URL: 'smtp://user:hunter2secret@127.0.0.1:9' }),
    ]);
    const [none, localhost, sound, away] = outputs;
    assert.match(none ?? '', /^✗ .*SMTP_URL is not set/);
    assert.match(localhost ?? '', /^✗ .*MAIL_FROM is Chancery <no-reply@localhost>/);
    assert.match(sound ?? '', /^✓ /);
    assert.match(away ?? '', /^✗ .*the mail server is unavailable/);
    assert.ok(!outputs.join().includes('hunter2secret'));
    assert.equal(smtp.received.length, 0);
  } finally {
    await smtp.close();
  }
});

/** Returns the failed checks of `doctor` and the error of `migrate`, which runs the checks of a start, with the same settings. */
async function errorsOf(more: Record<string, string>): Promise<{ doctor: string[]; start: string; code: unknown }> {
  const { stdout } = await doctor([], more);
  const { code, stderr } = await typedCommand(['migrate'], { ...settingsOf(chancery), ...more });
  return { doctor: stdout.match(/^✗ .*$/gm) ?? [], start: stderr.trim(), code };
}

for (const [why, name, change] of [
  ['another master key', 'the master key matches this database', async () => ({ MASTER_KEY: Buffer.alloc(32, 9).toString('base64') })],
  [
    'a schema of another version',
    'the schema belongs to this version',
    async () => {
      await chancery.pool.query("INSERT INTO migration (name, sha256, since) VALUES ('9000_later.sql', 'x', '99.0.0')");
      return {};
    },
  ],
  [
    'a superuser in production',
    'the database user is not a superuser',
    async () => ({ NODE_ENV: 'production', BASE_URL: 'https://chancery.example' }),
  ],
] as [string, string, () => Promise<Record<string, string>>][])
  test(`doctor reports ${why} with the error message of a start, and changes nothing`, async () => {
    const facts = async () => (await chancery.pool.query('SELECT name, value FROM service_state ORDER BY name')).rows;
    const kept = await facts();
    try {
      const { doctor: errors, start, code } = await errorsOf(await change());
      assert.equal(code, 1);
      assert.ok(errors.includes(`✗ ${name}: ${start}`), `${errors.join('\n')}\n${start}`);
      assert.deepEqual(await facts(), kept);
    } finally {
      await chancery.pool.query("DELETE FROM migration WHERE name = '9000_later.sql'");
    }
  });

test('doctor and a start accept an ordinary database user in production', async () => {
  const { url, drop } = await ordinaryUser(chancery.pool, chancery.databaseUrl);
  try {
    const settings = { DATABASE_URL: url, NODE_ENV: 'production', BASE_URL: 'https://chancery.example' };
    const { doctor: errors, start } = await errorsOf(settings);
    assert.deepEqual([errors.filter((line) => !line.includes('mails can be sent')), start], [[], '']);
  } finally {
    await drop();
  }
});

test('doctor --files lists unreferenced and missing files, removes none, and exits with 1 for a missing file', async () => {
  const { owner } = await chancery.team();
  const [kept, lost] = [await upload(owner), await upload(owner)];
  const sound = await doctor();
  assert.deepEqual([sound.code, sound.stderr], [0, '']);
  assert.match(sound.stdout, /^2 files, 2 rows with a file$/m);
  assert.match(sound.stdout, /^✓ unreferenced files of at least one day: 0/m);
  assert.match(sound.stdout, /^✓ rows with a missing file: 0$/m);

  // A process that is killed before the commit leaves a file without a row. The row of a young file may still be committed.
  const [old, young] = [randomUUIDv7(), randomUUIDv7()];
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  for (const key of [old, young]) {
    await mkdir(join(placeOf(key), '..'), { recursive: true });
    await writeFile(placeOf(key), 'nobody’s');
  }
  await utimes(placeOf(old), yesterday, yesterday);
  const orphaned = await doctor();
  assert.equal(orphaned.code, 0, 'the service removes it automatically');
  assert.match(orphaned.stdout, new RegExp(`^! unreferenced files of at least one day: 1;.*\n {4}${old}$`, 'm'));
  assert.ok(!orphaned.stdout.includes(young));

  await rm(placeOf(lost.key));
  const broken = await doctor();
  assert.deepEqual([broken.code, broken.stderr], [1, '']);
  assert.match(broken.stdout, /^3 files, 2 rows/m);
  assert.match(
    broken.stdout,
    new RegExp(
      `^✗ rows with a missing file: 1\n {4}team ${owner.team}, document_version of document_id ${lost.id}, number 1: ${lost.key}$`,
      'm',
    ),
  );
  assert.ok(broken.stdout.includes(old) && !broken.stdout.includes(kept.id));
  await access(placeOf(old));
  await access(placeOf(kept.key));
});

test('doctor --definitions lists stored conditions that follow an older rule, and changes none', async () => {
  const { owner } = await chancery.team();
  const ask = (method: string, path: string, body: unknown) => chancery.call(method, path, { token: owner.token, body });
  const step = (config: object) => ({ id: 'board', type: 'approval', config });
  const steps = [{ id: 'ask', type: 'task' }, step({ when: { field: 'ask', eq: 'completed' } })];
  const flow = await ask('POST', '/api/v1/workflows/', { name: 'W', documentId: 'DMS-1', steps });
  await ask('POST', '/api/v1/workflows/templates', { name: 'boarded', description: 'D', steps });
  const form = await ask('POST', '/api/v1/interfaces/', {
    title: 'Price',
    type: 'form',
    fields: [
      { id: 'price', type: 'money', label: 'Price' },
      { id: 'why', type: 'text', label: 'Why', visibleIf: { field: 'price', gt: { amount: '5', currency: 'EUR' } } },
    ],
  });
  assert.match((await doctor(['--definitions'])).stdout, /^✓ definitions that follow an older rule: 0$/m);

  await chancery.pool.query("UPDATE workflow_step SET config = config - 'onMissing' WHERE workflow_id = $1", [flow.body.id]);
  await chancery.pool.query("UPDATE workflow_template SET steps = steps #- '{1,config,onMissing}' WHERE name = 'boarded'");
  await chancery.pool.query("UPDATE interface SET draft = jsonb_set(draft, '{fields,1,visibleIf,gt}', '5') WHERE id = $1", [form.body.id]);
  const { code, stdout } = await doctor(['--definitions']);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^! team ${owner.team}, workflow ${flow.body.id}, step board: .*onMissing`, 'm'));
  assert.match(stdout, new RegExp(`^! team ${owner.team}, template boarded, step board: .*onMissing`, 'm'));
  assert.match(stdout, new RegExp(`^! team ${owner.team}, form ${form.body.id}, draft: /fields/1/visibleIf/gt .*currency`, 'm'));
  assert.match(stdout, /^! definitions that follow an older rule: 3$/m);

  // The stored form can still be changed and published. A new condition of that kind is rejected.
  const renamed = await ask('PUT', `/api/v1/interfaces/${form.body.id}`, { title: 'Prices' });
  assert.equal(renamed.status, 200, renamed.text);
  const published = await ask('POST', `/api/v1/interfaces/${form.body.id}/publish`, { revision: renamed.body.revision });
  assert.deepEqual([published.status, published.body.warnings.map(({ rule }: any) => rule)], [200, ['currency']]);
  const [price, why] = renamed.body.fields;
  const changed = await ask('PUT', `/api/v1/interfaces/${form.body.id}`, {
    fields: [price, { ...why, visibleIf: { field: 'price', gt: 6 } }],
  });
  assert.deepEqual([changed.status, changed.body.errors[0].rule], [422, 'currency']);
});
