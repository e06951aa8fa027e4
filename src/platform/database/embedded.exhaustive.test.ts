import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { eventually } from '../../../test/webhook-receiver.ts';
import { EmbeddedServerError } from './embedded-error.ts';
import { startEmbeddedServer } from './embedded.ts';

const log = pino({ level: 'silent' });
const root = process.getuid?.() === 0;
// The data of tests does not have to survive a power failure.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '8MB' };

let folder: string;
/** A data directory whose cluster the first tests create. */
let shared: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ch-embedded-'));
  // Accessible to the user that root runs the server as, so that clusters stay in it.
  await chmod(folder, 0o755);
  shared = join(folder, 'shared');
});
after(() => rm(folder, { recursive: true, force: true }));

const startOn = (dataDir: string) => startEmbeddedServer({ dataDir, log, settings });

async function query(connection: pg.ClientConfig, text: string): Promise<any[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const postmaster = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0]);

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie process is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Starts a separate process that starts the server, uses it, reports it, and stops when its input ends. */
function starter(dataDir: string, environment: Record<string, string> = {}, as?: { uid: number; gid: number }) {
  const script = `
    const { startEmbeddedServer } = await import(${JSON.stringify(new URL('embedded.ts', import.meta.url).href)});
    const { pino } = await import('pino');
    const { default: pg } = await import('pg');
    try {
      const server = await startEmbeddedServer({ dataDir: ${JSON.stringify(dataDir)}, log: pino({ level: 'silent' }), settings: ${JSON.stringify(settings)} });
      const client = new pg.Client(server.connection);
      await client.connect();
      console.log(JSON.stringify({ started: server.started, host: server.connection.host }));
      process.stdin.resume().on('end', async () => { await client.end(); await server.stop(); process.exit(0); });
    } catch (error) {
      console.log(JSON.stringify({ refused: error.message }));
      process.exit(1);
    }`;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...environment },
    ...as,
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    child,
    said: () =>
      eventually(
        'the process reports its result',
        () => (text.endsWith('\n') ? (JSON.parse(text) as { started?: boolean; host?: string; refused?: string }) : undefined),
        60_000,
      ),
    async stop() {
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Creates a data directory with a copied cluster, which is faster than initdb. */
async function copied(name: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true });
  const { status } = spawnSync('cp', ['-a', join(shared, 'postgres'), join(folder, name, 'postgres')]);
  assert.equal(status, 0);
  return join(folder, name);
}

describe('one data directory', () => {
  test('five first starts at once share one server, which the last process stops', { timeout: 600_000 }, async () => {
    const five = Array.from({ length: 5 }, () => starter(shared));
    const said = await Promise.all(five.map((one) => one.said()));
    assert.equal(said.filter(({ started }) => started === true).length, 1, JSON.stringify(said));
    assert.equal(said.filter(({ started }) => started === false).length, 4);
    const pid = await postmaster(shared);
    for (const one of five.slice(0, 4)) await one.stop();
    assert.ok(alive(pid), 'the last process still uses it');
    await five[4]?.stop();
    await eventually('the server has ended', () => !alive(pid));
    const left = (await readdir(shared)).toSorted();
    assert.deepEqual(left, ['postgres', 'postgres.log', 'run'], 'no lock and no partial cluster');
  });

  test('keeps its data over a stop, and starts fast', async () => {
    const first = await startOn(shared);
    await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    assert.ok(!(await readdir(join(shared, 'postgres'))).includes('postmaster.pid'));
    const second = await startOn(shared);
    assert.deepEqual([second.started, await query(second.connection, 'SELECT answer FROM kept')], [true, [{ answer: 42 }]]);
    await second.stop();
  });

  test('is reachable only by its socket, in a private folder', async () => {
    const server = await startOn(shared);
    const [{ listen_addresses: addresses }] = await query(server.connection, 'SHOW listen_addresses');
    assert.equal(addresses, '');
    assert.equal((await stat(server.connection.host)).mode & 0o077, 0);
    assert.equal((await stat(join(shared, 'postgres'))).mode & 0o077, 0);
    await server.stop();
  });

  test(
    'does not pass the settings of the service to the server, where its file functions could read them',
    { skip: process.platform !== 'linux' && 'only Linux shows the environment of a process' },
    async () => {
      process.env.MASTER_KEY = 'a secret of the service';
      const server = await startOn(shared).finally(() => delete process.env.MASTER_KEY);
      const seen = await readFile(`/proc/${await postmaster(shared)}/environ`, 'utf8');
      const [{ told }] = await query(server.connection, "SELECT pg_read_binary_file('/proc/self/environ', true) AS told");
      await server.stop();
      for (const text of [seen, String(told)]) assert.doesNotMatch(text, /MASTER_KEY|a secret/);
    },
  );

  test('keeps running after a stop while another process uses the server', async () => {
    const [first, second] = [await startOn(shared), await startOn(shared)];
    assert.deepEqual([first.started, second.started], [true, false]);
    const client = new pg.Client(second.connection);
    await client.connect();
    await first.stop();
    assert.deepEqual((await client.query('SELECT 1 AS one')).rows, [{ one: 1 }]);
    await client.end();
    const pid = await postmaster(shared);
    await second.stop();
    await eventually('the server has ended', () => !alive(pid));
  });

  test('three times in a row, a stop right after the last query ends the server', async () => {
    for (let round = 0; round < 3; round += 1) {
      const server = await startOn(shared);
      const clients = Array.from({ length: 8 }, () => new pg.Client(server.connection));
      await Promise.all(clients.map((client) => client.connect()));
      await Promise.all(clients.map((client) => client.query('SELECT 1')));
      const pid = await postmaster(shared);
      await Promise.all(clients.map((client) => client.end()));
      await server.stop();
      assert.ok(!alive(pid), `round ${round}`);
    }
  });

  test('restarts a killed server, also with concurrent callers', async () => {
    const server = await startOn(shared);
    const pid = await postmaster(shared);
    process.kill(pid, 'SIGKILL');
    await eventually('the server is dead', () => !alive(pid));
    await Promise.all(Array.from({ length: 50 }, () => server.ensureRunning()));
    assert.deepEqual(await query(server.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    assert.notEqual(await postmaster(shared), pid);
    await server.stop();
  });

  test('restarts a killed server after its last process has ended', async () => {
    const server = await startOn(shared);
    const client = new pg.Client(server.connection);
    client.on('error', () => undefined);
    await client.connect();
    const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
    process.kill(pid, 'SIGSTOP');
    let revived = false;
    try {
      process.kill(await postmaster(shared), 'SIGKILL');
      const reviving = server.ensureRunning().then(() => {
        revived = true;
      });
      await sleep(700);
      assert.ok(!revived, 'it still uses the memory of the killed server');
      process.kill(pid, 'SIGCONT');
      await reviving;
    } finally {
      if (!revived) process.kill(pid, 'SIGKILL');
    }
    assert.deepEqual(await query(server.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    await client.end().catch(() => undefined);
    await server.stop();
  });

  for (const [what, leave] of [
    [
      'a PID file of a dead server',
      () => writeFile(join(shared, 'postgres/postmaster.pid'), `999999\n${shared}/postgres\n1\n5432\n${shared}/run\n\n`),
    ],
    // A process with this PID runs, but it is not a database server.
    [
      'a PID file with the PID of another process',
      () => writeFile(join(shared, 'postgres/postmaster.pid'), `${process.pid}\n${shared}/postgres\n1\n5432\n\n\n`),
    ],
    ['a truncated PID file', () => writeFile(join(shared, 'postgres/postmaster.pid'), '')],
    [
      'the lock of a dead process, and that of a process that was killed while it removed it',
      async () => {
        await writeFile(join(shared, 'postgres.lock'), '999999 12345 x');
        await writeFile(join(shared, 'postgres.lock.removal'), '999998 12345 y');
      },
    ],
    ['the lock of a dead process', () => writeFile(join(shared, 'postgres.lock'), '999999 12345 x')],
    ['the lock of a process whose PID was reused', () => writeFile(join(shared, 'postgres.lock'), `${process.pid} 1 x`)],
    ['an empty lock after a power failure', () => writeFile(join(shared, 'postgres.lock'), '')],
    ['an invalid lock', () => writeFile(join(shared, 'postgres.lock'), 'nonsense')],
  ] as [string, () => Promise<void>][]) {
    test(`with ${what} starts once for 50 concurrent callers`, async () => {
      await leave();
      const answers = await Promise.allSettled(Array.from({ length: 50 }, () => startOn(shared)));
      const servers = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      try {
        assert.deepEqual(
          answers.filter(({ status }) => status === 'rejected'),
          [],
        );
        assert.equal(servers.filter(({ started }) => started).length, 1);
        assert.deepEqual(await query(servers[0]?.connection ?? {}, 'SELECT answer FROM kept'), [{ answer: 42 }]);
      } finally {
        for (const server of servers.slice(0, 2)) await server.stop();
      }
    });
  }

  // A process of the same user with the name of a server; only its folder differs.
  async function foreigner(): Promise<ChildProcess> {
    const { uid, gid } = await stat(join(shared, 'postgres'));
    const child = spawn('sleep', ['120'], { argv0: 'postgres', stdio: 'ignore', ...(root ? { uid, gid } : {}) });
    await once(child, 'spawn');
    return child;
  }
  async function noteOf(pid: number): Promise<void> {
    const rest = `${shared}/postgres\n1\n5432\n${shared}/run\n\n`;
    await writeFile(join(shared, 'postgres/postmaster.pid'), `${pid}\n${rest}`);
    await mkdir(join(shared, 'run'), { recursive: true });
    await writeFile(join(shared, 'run/.s.PGSQL.5432.lock'), `${pid}\n${rest}`);
  }

  test('starts although both PID files of a former server name another running process', async () => {
    const other = await foreigner();
    try {
      await noteOf(other.pid ?? 0);
      const server = await startOn(shared);
      assert.deepEqual([server.started, await query(server.connection, 'SELECT answer FROM kept')], [true, [{ answer: 42 }]]);
      await server.stop();
      assert.ok(alive(other.pid ?? 0), 'which is not killed');
    } finally {
      other.kill();
    }
  });

  test('recovers all committed data after ten kills of all its processes', { timeout: 600_000 }, async () => {
    const other = await foreigner();
    try {
      for (let round = 1; round <= 10; round += 1) {
        const one = starter(shared);
        assert.equal((await one.said()).started, true, `round ${round}`);
        const connection = { host: join(shared, 'run'), port: 5432, user: 'chancery', database: 'chancery' };
        await query(connection, 'CREATE TABLE IF NOT EXISTS rounds (round int)');
        // With this setting, a commit returns after the disk write, as in the service.
        await query(connection, `SET synchronous_commit = on; INSERT INTO rounds VALUES (${round})`);
        assert.equal((await query(connection, 'SELECT FROM rounds')).length, round);
        const pid = await postmaster(shared);
        one.child.kill('SIGKILL');
        process.kill(pid, 'SIGKILL');
        // Every other time immediately, while the PID may still be in use; otherwise another process has it.
        if (round % 2 === 0) continue;
        await eventually('the server is dead', () => !alive(pid));
        await noteOf(other.pid ?? 0);
      }
    } finally {
      other.kill();
      await (await startOn(shared)).stop();
    }
  });

  test('the server survives kill -9 of the process that started it, and the next process uses it', async () => {
    const first = starter(shared);
    assert.equal((await first.said()).started, true);
    const pid = await postmaster(shared);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const next = await startOn(shared);
    assert.deepEqual([next.started, await postmaster(shared)], [false, pid]);
    await next.stop();
    assert.ok(!alive(pid));
  });

  test('a kill during the first start leaves no partial cluster, and the next start creates it', async () => {
    const cut = join(folder, 'cut');
    const first = starter(cut);
    await eventually('the cluster is being created', async () =>
      (await readdir(cut).catch(() => [])).some((name) => name.startsWith('postgres.new-')),
    );
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    assert.ok(!(await readdir(cut)).includes('postgres'));
    const next = await startOn(cut);
    assert.equal(next.started, true);
    await next.stop();
    assert.deepEqual(
      (await readdir(cut)).filter((name) => /new-|lock/.test(name)),
      [],
    );
  });

  test('uses the same server with another temporary folder', async () => {
    const long = await copied('x'.repeat(120));
    await mkdir(join(folder, 'tmp'), { mode: 0o777 });
    const [first, second] = [starter(long), starter(long, { TMPDIR: join(folder, 'tmp') })];
    const said = [await first.said(), await second.said()];
    assert.equal(said.filter(({ started }) => started).length, 1, JSON.stringify(said));
    assert.equal(said.filter(({ refused }) => refused !== undefined).length, 0, JSON.stringify(said));
    await first.stop();
    await second.stop();
  });
});

describe('a path', () => {
  for (const [what, name] of [
    ['a path longer than that of a socket', 'l'.repeat(120)],
    ['a path with spaces, quotes and letters of other scripts', `it's "a" Ördner 文`],
  ] as const) {
    test(`works with ${what}`, async () => {
      const server = await startOn(what.startsWith('longer') ? await copied(name) : join(folder, name));
      assert.equal(server.started, true);
      assert.ok(Buffer.byteLength(join(server.connection.host, '.s.PGSQL.5432')) <= 107);
      assert.deepEqual(await query(server.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
      await server.stop();
      if (what.startsWith('longer')) await assert.rejects(stat(server.connection.host), 'nothing is left in the temporary folder');
    });
  }

  test('finds a short path for the socket if both the data directory and the temporary folder are long', async () => {
    const temporary = join(folder, 't'.repeat(110));
    await mkdir(temporary, { mode: 0o777 });
    const one = starter(await copied('d'.repeat(120)), { TMPDIR: temporary });
    const said = await one.said();
    assert.equal(said.started, true, said.refused ?? '');
    assert.ok(Buffer.byteLength(said.host ?? '') < 95);
    await one.stop();
  });

  test('that is a file is rejected with the next step', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const where of [join(folder, 'file'), join(folder, 'file', 'below')])
      await assert.rejects(
        startOn(where),
        (error: unknown) => error instanceof EmbeddedServerError && /DATA_DIR/.test(error.message) && error.message.includes(where),
      );
  });

  test(
    'that an ordinary user cannot write to is rejected with the next step',
    { skip: !root && 'needs root to start as another user' },
    async () => {
      const closed = join(folder, 'closed');
      await mkdir(closed, { mode: 0o700 });
      for (const where of [closed, join(closed, 'below')]) {
        const one = starter(where, {}, { uid: 65_534, gid: 65_534 });
        const { refused } = await one.said();
        assert.match(refused ?? '', /DATA_DIR/);
        assert.ok(refused?.includes(where), refused ?? '');
        await one.stop();
      }
    },
  );

  test('of an ordinary user has a server that runs as this user', { skip: !root && 'needs root to start as another user' }, async () => {
    const own = join(folder, 'own');
    await mkdir(own);
    await chown(own, 65_534, 65_534);
    const one = starter(own, {}, { uid: 65_534, gid: 65_534 });
    assert.equal((await one.said()).started, true);
    assert.match(await readFile(`/proc/${await postmaster(own)}/status`, 'utf8'), /^Uid:\s+65534\s+65534/m);
    await one.stop();
  });

  test(
    'that only root can access stores its cluster elsewhere and contains its path',
    { skip: !root && 'needs root, whose folders others cannot access' },
    async () => {
      const closed = join(folder, 'of-root');
      await mkdir(closed, { mode: 0o700 });
      const where = join(closed, 'data');
      const server = await startOn(where);
      const home = (await readFile(join(where, 'postgres.location'), 'utf8')).trim();
      try {
        assert.match(home, /^\/var\/lib\/chancery\/[0-9a-f]{16}$/);
        assert.deepEqual(await query(server.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
        assert.ok((await readdir(home)).includes('postgres'));
        const again = await startOn(where);
        assert.equal(again.started, false);
        await again.stop();
      } finally {
        await server.stop();
        await rm(home, { recursive: true, force: true });
      }
    },
  );
});

describe('a cluster that cannot be opened', () => {
  for (const [what, files, expected] of [
    ['of another version', { PG_VERSION: '15\n' }, /PostgreSQL 15, but this version contains PostgreSQL 18\. Dump it/],
    ['with an unreadable version', { PG_VERSION: '' }, /is not a complete database cluster/],
    ['that is not a cluster', { 'notes.txt': 'mine' }, /is not a (complete database )?cluster/],
  ] as [string, Record<string, string>, RegExp][]) {
    test(`${what} is rejected with the next step and not changed`, async () => {
      const where = join(folder, `odd-${what.replaceAll(' ', '-')}`);
      await mkdir(join(where, 'postgres'), { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(where, 'postgres', name), text);
      await assert.rejects(startOn(where), (error: unknown) => {
        assert.ok(error instanceof EmbeddedServerError, String(error));
        assert.match(error.message, expected);
        return true;
      });
      assert.deepEqual(await readdir(join(where, 'postgres')), Object.keys(files));
      assert.deepEqual(
        (await readdir(where)).filter((name) => /lock|new-/.test(name)),
        [],
      );
    });
  }

  test('because of damage is rejected with the message of the server, and nothing keeps running', async () => {
    const where = await copied('damaged');
    await writeFile(join(where, 'postgres/global/pg_control'), 'damaged');
    await assert.rejects(startOn(where), /did not start: .*postgres\.log.*(pg_control|control file)/s);
    const note = await readFile(join(where, 'postgres/postmaster.pid'), 'utf8').catch(() => '0');
    assert.ok(!alive(Number(note.split('\n', 1)[0])));
  });
});
