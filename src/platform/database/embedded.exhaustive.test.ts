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
// What tests write is thrown away: nothing has to survive a power cut.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '8MB' };

let folder: string;
/** A data directory whose cluster the first tests make. */
let shared: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ch-embedded-'));
  // Open to the user that root runs the server as, so that clusters stay in it.
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
    // One that has ended and was not yet asked for its code is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A process of its own that starts the server, uses it, says so, and stops when its input ends. */
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
        'the process says how it went',
        () => (text.endsWith('\n') ? (JSON.parse(text) as { started?: boolean; host?: string; refused?: string }) : undefined),
        60_000,
      ),
    async stop() {
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** A data directory with a cluster in it, made quicker than by making one anew. */
async function copied(name: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true });
  const { status } = spawnSync('cp', ['-a', join(shared, 'postgres'), join(folder, name, 'postgres')]);
  assert.equal(status, 0);
  return join(folder, name);
}

describe('one data directory', () => {
  test(
    'started by five processes at once for the first time has one server, which all use and the last one stops',
    { timeout: 600_000 },
    async () => {
      const five = Array.from({ length: 5 }, () => starter(shared));
      const said = await Promise.all(five.map((one) => one.said()));
      assert.equal(said.filter(({ started }) => started === true).length, 1, JSON.stringify(said));
      assert.equal(said.filter(({ started }) => started === false).length, 4);
      const pid = await postmaster(shared);
      for (const one of five.slice(0, 4)) await one.stop();
      assert.ok(alive(pid), 'those that end leave it to the fifth');
      await five[4]?.stop();
      await eventually('the server has ended', () => !alive(pid));
      const left = (await readdir(shared)).toSorted();
      assert.deepEqual(left, ['postgres', 'postgres.log', 'run'], 'no lock, no half-made cluster');
    },
  );

  test('keeps what was written over a stop, and a start is quick', async () => {
    const first = await startOn(shared);
    await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    assert.ok(!(await readdir(join(shared, 'postgres'))).includes('postmaster.pid'));
    const second = await startOn(shared);
    assert.deepEqual([second.started, await query(second.connection, 'SELECT answer FROM kept')], [true, [{ answer: 42 }]]);
    await second.stop();
  });

  test('is reached by its socket alone, in a folder that nobody else may enter', async () => {
    const server = await startOn(shared);
    const [{ listen_addresses: addresses }] = await query(server.connection, 'SHOW listen_addresses');
    assert.equal(addresses, '');
    assert.equal((await stat(server.connection.host)).mode & 0o077, 0);
    assert.equal((await stat(join(shared, 'postgres'))).mode & 0o077, 0);
    await server.stop();
  });

  test(
    'tells the server nothing of the settings of the service, which whoever reads files through it would find',
    { skip: process.platform !== 'linux' && 'only Linux shows what a process was given' },
    async () => {
      process.env.MASTER_KEY = 'a secret of the service';
      const server = await startOn(shared).finally(() => delete process.env.MASTER_KEY);
      const seen = await readFile(`/proc/${await postmaster(shared)}/environ`, 'utf8');
      const [{ told }] = await query(server.connection, "SELECT pg_read_binary_file('/proc/self/environ', true) AS told");
      await server.stop();
      for (const text of [seen, String(told)]) assert.doesNotMatch(text, /MASTER_KEY|a secret/);
    },
  );

  test('while another uses the server, stopping leaves it running', async () => {
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

  test('whose server was killed is started again by whoever uses it, also when many ask at once', async () => {
    const server = await startOn(shared);
    const pid = await postmaster(shared);
    process.kill(pid, 'SIGKILL');
    await eventually('it is dead', () => !alive(pid));
    await Promise.all(Array.from({ length: 50 }, () => server.ensureRunning()));
    assert.deepEqual(await query(server.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    assert.notEqual(await postmaster(shared), pid);
    await server.stop();
  });

  test('whose server was killed is started again once the last process of that server has ended', async () => {
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
      assert.ok(!revived, 'it still holds the memory of the server that was killed');
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
      'a note of a server that is gone',
      () => writeFile(join(shared, 'postgres/postmaster.pid'), `999999\n${shared}/postgres\n1\n5432\n${shared}/run\n\n`),
    ],
    // A process of that number is alive, and is no database server.
    [
      'a note whose number another process has now',
      () => writeFile(join(shared, 'postgres/postmaster.pid'), `${process.pid}\n${shared}/postgres\n1\n5432\n\n\n`),
    ],
    ['a note that was cut off', () => writeFile(join(shared, 'postgres/postmaster.pid'), '')],
    [
      'the lock of a process that is dead, and that of one that was killed while it removed it',
      async () => {
        await writeFile(join(shared, 'postgres.lock'), '999999 12345 x');
        await writeFile(join(shared, 'postgres.lock.removal'), '999998 12345 y');
      },
    ],
    ['the lock of a process that is dead', () => writeFile(join(shared, 'postgres.lock'), '999999 12345 x')],
    ['the lock of a process whose number another has now', () => writeFile(join(shared, 'postgres.lock'), `${process.pid} 1 x`)],
    ['a lock that a power cut left empty', () => writeFile(join(shared, 'postgres.lock'), '')],
    ['a lock of nonsense', () => writeFile(join(shared, 'postgres.lock'), 'nonsense')],
  ] as [string, () => Promise<void>][]) {
    test(`that holds ${what} is taken up, once, by 50 that start at once`, async () => {
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

  // Alive, of the user that the server runs as, and called as if it were one: nothing but its folder tells it from ours.
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

  test('whose two notes of a former server name a living process of something else is started all the same', async () => {
    const other = await foreigner();
    try {
      await noteOf(other.pid ?? 0);
      const server = await startOn(shared);
      assert.deepEqual([server.started, await query(server.connection, 'SELECT answer FROM kept')], [true, [{ answer: 42 }]]);
      await server.stop();
      assert.ok(alive(other.pid ?? 0), 'which is left alone');
    } finally {
      other.kill();
    }
  });

  test(
    'cut off with all its processes ten times in a row comes back each time, with all that was written',
    { timeout: 600_000 },
    async () => {
      const other = await foreigner();
      try {
        for (let round = 1; round <= 10; round += 1) {
          const one = starter(shared);
          assert.equal((await one.said()).started, true, `round ${round}`);
          const connection = { host: join(shared, 'run'), port: 5432, user: 'chancery', database: 'chancery' };
          await query(connection, 'CREATE TABLE IF NOT EXISTS rounds (round int)');
          // As the service has it: what is acknowledged has been written.
          await query(connection, `SET synchronous_commit = on; INSERT INTO rounds VALUES (${round})`);
          assert.equal((await query(connection, 'SELECT FROM rounds')).length, round);
          const pid = await postmaster(shared);
          one.child.kill('SIGKILL');
          process.kill(pid, 'SIGKILL');
          // Every other time at once, while the number may still be in use; else something else has it now.
          if (round % 2 === 0) continue;
          await eventually('it is dead', () => !alive(pid));
          await noteOf(other.pid ?? 0);
        }
      } finally {
        other.kill();
        await (await startOn(shared)).stop();
      }
    },
  );

  test('after kill -9 of the process that started it, the server goes on and the next one uses it', async () => {
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

  test('killed in the middle of its first start, leaves nothing that looks like a cluster, and the next start makes it', async () => {
    const cut = join(folder, 'cut');
    const first = starter(cut);
    await eventually('the cluster is being made', async () =>
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

  test('reached with another temporary folder is the same server', async () => {
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
    ['longer than a socket’s may be', 'l'.repeat(120)],
    ['with spaces, quotes and letters of elsewhere', `it's "a" Ördner 文`],
  ] as const) {
    test(`${what} is no hindrance`, async () => {
      const server = await startOn(what.startsWith('longer') ? await copied(name) : join(folder, name));
      assert.equal(server.started, true);
      assert.ok(Buffer.byteLength(join(server.connection.host, '.s.PGSQL.5432')) <= 107);
      assert.deepEqual(await query(server.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
      await server.stop();
      if (what.startsWith('longer')) await assert.rejects(stat(server.connection.host), 'nothing is left in the temporary folder');
    });
  }

  test('that is long, with a long temporary folder too, still finds a place for the socket', async () => {
    const temporary = join(folder, 't'.repeat(110));
    await mkdir(temporary, { mode: 0o777 });
    const one = starter(await copied('d'.repeat(120)), { TMPDIR: temporary });
    const said = await one.said();
    assert.equal(said.started, true, said.refused ?? '');
    assert.ok(Buffer.byteLength(said.host ?? '') < 95);
    await one.stop();
  });

  test('of a file is refused with what to do', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const where of [join(folder, 'file'), join(folder, 'file', 'below')])
      await assert.rejects(
        startOn(where),
        (error: unknown) => error instanceof EmbeddedServerError && /DATA_DIR/.test(error.message) && error.message.includes(where),
      );
  });

  test(
    'that an ordinary user may not write is refused with what to do',
    { skip: !root && 'needs root, to start as another user' },
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

  test(
    'that an ordinary user owns has its server run by that user',
    { skip: !root && 'needs root, to start as another user' },
    async () => {
      const own = join(folder, 'own');
      await mkdir(own);
      await chown(own, 65_534, 65_534);
      const one = starter(own, {}, { uid: 65_534, gid: 65_534 });
      assert.equal((await one.said()).started, true);
      assert.match(await readFile(`/proc/${await postmaster(own)}/status`, 'utf8'), /^Uid:\s+65534\s+65534/m);
      await one.stop();
    },
  );

  test(
    'that root alone may enter keeps its cluster elsewhere, and says where',
    { skip: !root && 'needs root, whose folders others cannot enter' },
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
    ['of another version', { PG_VERSION: '15\n' }, /PostgreSQL 15, and this version brings 18: dump it/],
    ['whose version is not to be read', { PG_VERSION: '' }, /is no database cluster/],
    ['that is none', { 'notes.txt': 'mine' }, /is no (database )?cluster/],
  ] as [string, Record<string, string>, RegExp][]) {
    test(`${what} is refused with what to do, and left as it is`, async () => {
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

  test('because it is damaged is refused with the server’s own words, and nothing is left running', async () => {
    const where = await copied('damaged');
    await writeFile(join(where, 'postgres/global/pg_control'), 'damaged');
    await assert.rejects(startOn(where), /did not start: .*postgres\.log.*(pg_control|control file)/s);
    const note = await readFile(join(where, 'postgres/postmaster.pid'), 'utf8').catch(() => '0');
    assert.ok(!alive(Number(note.split('\n', 1)[0])));
  });
});
