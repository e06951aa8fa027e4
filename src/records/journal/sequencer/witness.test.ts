import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { readConfig } from '../../../config.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { keysOf, type SequencerNode, sequencerNode } from '../../../../test/sequencer.ts';
import { parseNote, parseVerifierKey, verifies } from '../tree/note.ts';
import { readLogKeys, verifyExport } from '../evidence/verify-export.ts';
import { parseWitnesses } from './witness.ts';

const origin = 'log.example/tlog';
const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const node = (left: Buffer, right: Buffer) => sha(Buffer.from([1]), left, right);

/**
 * A witness written from the C2SP tlog-witness specification: it verifies the log’s signature and the consistency proof, and stores the largest
 * tree that it cosigned.
 */
class TestWitness {
  readonly name: string;
  readonly #kind: 4 | 6;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #logKey: KeyObject;
  #server: Server | undefined;
  port = 0;
  size = 0;
  root = sha();
  statuses: number[] = [];
  /** Responds with something other than its cosignature. */
  forge: ((line: string) => string) | undefined;

  constructor(name: string, kind: 4 | 6, logKey: KeyObject) {
    this.name = name;
    this.#kind = kind;
    this.#keys = kind === 4 ? generateKeyPairSync('ed25519') : generateKeyPairSync('ml-dsa-44');
    this.#logKey = logKey;
  }

  get #raw(): Buffer {
    return this.#keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(this.#kind === 4 ? 12 : 22);
  }

  get #id(): Buffer {
    return sha(Buffer.from(`${this.name}\n`), Buffer.from([this.#kind]), this.#raw).subarray(0, 4);
  }

  get verifierKey(): string {
    return `${this.name}+${this.#id.toString('hex')}+${Buffer.concat([Buffer.from([this.#kind]), this.#raw]).toString('base64')}`;
  }

  get setting(): string {
    return `${this.verifierKey} http://127.0.0.1:${this.port}/`;
  }

  async listen(): Promise<void> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { status, body, type } =
          request.method === 'POST' && request.url === '/add-checkpoint'
            ? this.#add(Buffer.concat(chunks).toString())
            : { status: 404, body: '', type: 'text/plain' };
        this.statuses.push(status);
        response.writeHead(status, { 'content-type': type }).end(body);
      });
    }).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.port = typeof address === 'object' && address ? address.port : 0;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => (this.#server?.listening ? this.#server.close(resolve) : resolve(undefined)));
  }

  #add(body: string): { status: number; body: string; type: string } {
    const refuse = (status: number, text = '', type = 'text/plain') => ({ status, body: text, type });
    const end = body.indexOf('\n\n');
    const [old = '', ...proof] = body.slice(0, end).split('\n');
    const note = body.slice(end + 2);
    const from = Number(/^old (0|[1-9]\d*)$/.exec(old)?.[1] ?? Number.NaN);
    const split = note.lastIndexOf('\n\n');
    const text = note.slice(0, split + 1);
    const [name, sizeText, rootText] = text.split('\n');
    if (name !== origin) return refuse(404);
    const signed = note
      .slice(split + 2)
      .trimEnd()
      .split('\n')
      .some((line) => verify(null, Buffer.from(text), this.#logKey, Buffer.from(line.split(' ').at(-1) ?? '', 'base64').subarray(4)));
    if (!signed) return refuse(403);
    const size = Number(sizeText);
    if (Number.isNaN(from) || from > size || proof.length > 63) return refuse(400);
    if (from !== this.size) return refuse(409, `${this.size}\n`, 'text/x.tlog.size');
    const root = Buffer.from(rootText ?? '', 'base64');
    const hashes = proof.map((line) => Buffer.from(line, 'base64'));
    if (!this.#extends(size, root, hashes)) return refuse(422);
    Object.assign(this, { size, root });
    const line = this.#cosign(text, size, root);
    return { status: 200, body: this.forge ? this.forge(line) : line, type: 'text/plain' };
  }

  #extends(size: number, root: Buffer, proof: Buffer[]): boolean {
    if (this.size === 0) return proof.length === 0 && (size > 0 || root.equals(sha()));
    if (this.size === size) return proof.length === 0 && root.equals(this.root);
    /** Both roots, by the recursion of RFC 9162 §2.1.4.1 run backwards. */
    const roots = (m: number, n: number, path: Buffer[], known: Buffer | undefined): [Buffer, Buffer] | undefined => {
      if (m === n) {
        const own = known ?? path[0];
        return own && path.length === (known ? 0 : 1) ? [own, own] : undefined;
      }
      const k = 2 ** Math.ceil(Math.log2(n) - 1);
      const sibling = path.at(-1);
      const below = m <= k ? roots(m, k, path.slice(0, -1), known) : roots(m - k, n - k, path.slice(0, -1), undefined);
      if (!sibling || !below) return undefined;
      return m <= k ? [below[0], node(below[1], sibling)] : [node(sibling, below[0]), node(sibling, below[1])];
    };
    const found = roots(this.size, size, proof, this.root);
    return found !== undefined && found[0].equals(this.root) && found[1].equals(root);
  }

  #cosign(text: string, size: number, root: Buffer): string {
    const time = Buffer.alloc(8);
    const seconds = BigInt(Math.floor(Date.now() / 1000));
    time.writeBigUInt64BE(seconds);
    const end = Buffer.alloc(16);
    end.writeBigUInt64BE(BigInt(size), 8);
    const statement =
      this.#kind === 4
        ? Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`)
        : Buffer.concat([
            Buffer.from('subtree/v1\n\0'),
            Buffer.from([this.name.length]),
            Buffer.from(this.name),
            time,
            Buffer.from([origin.length]),
            Buffer.from(origin),
            end,
            root,
          ]);
    return `— ${this.name} ${Buffer.concat([this.#id, time, sign(null, statement, this.#keys.privateKey)]).toString('base64')}\n`;
  }
}

let chancery: Chancery;
let team: TestTeam;
let logKey: KeyObject;
let running: SequencerNode[] = [];
let witnesses: TestWitness[] = [];

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  const [jwk] = (await keysOf(chancery)).publicKeys('witness');
  logKey = createPublicKey({ key: jwk as never, format: 'jwk' });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await Promise.all(witnesses.splice(0).map((each) => each.close()));
});
after(() => chancery.stop());

async function witness(kind: 4 | 6 = 4, name = `w${kind}.example`): Promise<TestWitness> {
  const made = new TestWitness(name, kind, logKey);
  await made.listen();
  witnesses.push(made);
  return made;
}

async function sequence(settings: string, witnessTimeoutMs = 1_000): Promise<SequencerNode> {
  const made = await sequencerNode(chancery, { witnesses: parseWitnesses(settings), witnessTimeoutMs });
  running.push(made);
  await made.start();
  return made;
}

async function insert(count: number): Promise<void> {
  await chancery.pool.query(
    "INSERT INTO audit_entry (team_id, id, type, actor_type, at) SELECT $1, gen_random_uuid(), 'test.burst', 'system', now() FROM generate_series(1, $2)",
    [team.id, count],
  );
}

async function state(): Promise<{ size: number; published_size: number; published: string }> {
  const { rows } = await chancery.pool.query('SELECT size::int, published_size::int, published FROM audit_log');
  return rows[0];
}

/** Waits until readers have the newest checkpoint, with as many signatures. */
const published = (signatures: number): Promise<string> =>
  eventually(`a checkpoint with ${signatures} signatures`, async () => {
    const { rows } = await chancery.pool.query('SELECT EXISTS (SELECT FROM audit_entry WHERE seq IS NULL) AS waiting');
    const { size, published_size: shown, published: note } = await state();
    return !rows[0].waiting && size === shown && parseNote(note)?.signatures.length === signatures ? note : undefined;
  });

function carries(note: string, { verifierKey }: TestWitness): boolean {
  const parsed = parseNote(note);
  return parsed?.signatures.some((signature) => verifies(parseVerifierKey(verifierKey), parsed.text, signature)) ?? false;
}

test('witnesses of both kinds verify and cosign each checkpoint, and readers get it with the cosignatures', async () => {
  const [a, b] = [await witness(4), await witness(6)];
  const sequencer = await sequence(`${a.setting}, ${b.setting}`);
  for (const more of [1, 2, 250, 60, 700]) {
    await insert(more);
    const note = await published(3);
    assert.ok(carries(note, a) && carries(note, b));
  }
  const { size } = await state();
  assert.deepEqual([a.size, b.size], [size, size]);
  assert.deepEqual([...new Set([...a.statuses, ...b.statuses])], [200], 'no proof was refused');
  assert.equal(sequencer.logged(), '');
  const { body } = await chancery.call('GET', '/api/v1/security/audit/checkpoint', { token: team.owner.token });
  assert.deepEqual(body.cosignedBy.toSorted(), ['w4.example', 'w6.example']);
  const served = await fetch(`${chancery.url}/tlog/checkpoint`);
  assert.equal(await served.text(), (await state()).published);
});

test('a restarted sequencer learns the last size from the witness', async () => {
  const own = await witness();
  await sequence(own.setting);
  await insert(3);
  await published(2);
  await Promise.all(running.splice(0).map((each) => each.stop()));
  own.statuses = [];
  await sequence(own.setting);
  await insert(3);
  await published(2);
  assert.deepEqual(own.statuses, [409, 200]);
});

test('an unavailable witness delays nothing, and its cosignature is added when it is back', async () => {
  const [steady, away] = [await witness(4, 'steady.example'), await witness(4, 'away.example')];
  const settings = `${steady.setting},${away.setting}`;
  await away.close();
  const sequencer = await sequence(settings);
  await insert(5);
  const note = await published(2);
  assert.ok(carries(note, steady) && !carries(note, away));
  assert.match(sequencer.logged(), /a witness did not cosign/);
  await away.listen();
  const later = await published(3);
  assert.ok(carries(later, away));
  assert.ok(later.startsWith(note), 'the same checkpoint, with one more line');
});

test('readers get cosigned checkpoints while entries keep coming', async () => {
  const own = await witness();
  await sequence(own.setting);
  await insert(1);
  await published(2);
  const first = await state();
  let isOn = true;
  const write = async (): Promise<void> => {
    while (isOn) {
      await insert(1);
      await chancery.pool.query("SELECT pg_notify('audit_due', '')");
    }
  };
  const writers = [write(), write(), write()];
  try {
    await eventually('a checkpoint', async () => (await state()).published_size > first.size, 20_000);
  } finally {
    isOn = false;
    await Promise.all(writers);
  }
});

/** A witness that never responds, and whether it was called. */
async function hangingWitness() {
  const seen = { requests: 0 };
  const server = createServer(() => void (seen.requests += 1)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const spare = new TestWitness('hangs.example', 4, logKey);
  spare.port = typeof address === 'object' && address ? address.port : 0;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { seen, setting: spare.setting, close };
}

test('a hanging witness delays neither readers nor new leaves', async () => {
  const hanging = await hangingWitness();
  const earlier = await state();
  await sequence(hanging.setting, 3_600_000);
  await insert(4);
  await eventually('integrated', async () => (await state()).size === earlier.size + 4);
  await eventually('it is asked', () => hanging.seen.requests > 0);
  assert.equal((await state()).published_size, earlier.published_size);
  hanging.close();
  await published(1);
});

test('a hanging witness is aborted at its deadline', async () => {
  const hanging = await hangingWitness();
  await sequence(hanging.setting);
  await insert(4);
  await published(1);
  assert.ok(hanging.seen.requests > 0);
  hanging.close();
});

test('a cosignature that the configured key does not verify is not published', async () => {
  const own = await witness();
  const stranger = new TestWitness(own.name, 4, logKey);
  await sequence(`${stranger.verifierKey} http://127.0.0.1:${own.port}`);
  await insert(1);
  assert.ok(!carries(await published(1), own));
  own.forge = (line) => line.replace(/.{12}=*\n$/, 'AAAAAAAAAAA=\n');
  await Promise.all(running.splice(0).map((each) => each.stop()));
  const sequencer = await sequence(own.setting);
  await insert(1);
  await published(1);
  assert.match(sequencer.logged(), /no cosignature that its key verifies/);
});

test('lines of unknown keys in a witness’s answer are passed over', async () => {
  const own = await witness();
  own.forge = (line) => `— other.example AAAAAAAAAAA=\n${line}`;
  await sequence(own.setting);
  await insert(1);
  const note = await published(2);
  assert.ok(carries(note, own) && !note.includes('other.example'));
});

test('a journal rolled back past a witness’s size is reported as an error', async () => {
  const own = await witness();
  await sequence(own.setting);
  await insert(5);
  await published(2);
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await chancery.pool.query('CREATE TABLE kept_tile AS TABLE audit_tile; CREATE TABLE kept_log AS TABLE audit_log');
  await sequence(own.setting);
  await insert(5);
  await published(2);
  await Promise.all(running.splice(0).map((each) => each.stop()));
  const seen = own.size;
  const rollBack = `DELETE FROM audit_entry WHERE seq >= (SELECT size FROM kept_log);
    DELETE FROM audit_checkpoint WHERE size > (SELECT size FROM kept_log);
    DELETE FROM audit_tile; INSERT INTO audit_tile TABLE kept_tile;
    UPDATE audit_log l SET (size, checkpoint, published_size, published) = (SELECT size, checkpoint, published_size, published FROM kept_log)`;
  await chancery.pool.query(rollBack);
  // A new process without state: the database alone shows no error.
  const shrunk = await sequence(own.setting);
  await insert(1);
  await published(1);
  assert.match(
    shrunk.logged(),
    new RegExp(`has seen a tree of ${seen} entries, but the journal has ${seen - 4}: the journal was rolled back`),
  );
  assert.equal(own.size, seen);
  await Promise.all(running.splice(0).map((each) => each.stop()));
  // Grown past the witness’s size with other entries: no consistency proof exists.
  const forked = await sequence(own.setting);
  await insert(20);
  await published(1);
  // The first batch may still be smaller than the tree of the witness.
  await eventually('the alarm', () => /does not extend the one it saw/.test(forked.logged()));
  assert.match(forked.logged(), /"level":50/);
  assert.equal(own.size, seen);
  await chancery.pool.query('DROP TABLE kept_tile, kept_log');
});

test('an export can require a witness’s cosignature', async () => {
  const own = await witness(6, 'fresh.example');
  await sequence(own.setting);
  await insert(2);
  await published(2);
  const { text } = await chancery.call('GET', '/api/v1/security/audit/export', { token: team.owner.token });
  const keys = readLogKeys(JSON.stringify((await chancery.call('GET', '/.well-known/witness-jwks.json')).body));
  const check = async (by: TestWitness) => {
    const lines = async function* () {
      yield* text.trimEnd().split('\n');
    };
    return verifyExport(lines(), { keys, witnesses: [parseVerifierKey(by.verifierKey)] });
  };
  const good = await check(own);
  assert.ok(good.ok, JSON.stringify(good));
  const other = await check(new TestWitness('fresh.example', 4, logKey));
  assert.ok(!other.ok && /has not cosigned/.test(other.error));
});

test('an invalid witness setting is rejected with a clear error', () => {
  const good = new TestWitness('w.example', 4, logKey);
  assert.equal(parseWitnesses(` ${good.verifierKey} https://w.example/prefix/ ,`)[0]?.url, 'https://w.example/prefix');
  for (const wrong of [
    'https://w.example',
    good.verifierKey,
    `${good.verifierKey} ftp://w.example`,
    `${good.verifierKey} https://w.example more`,
    `${good.verifierKey.replace('w.example', 'v.example')} https://w.example`,
    'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k https://w.example',
  ])
    assert.throws(() => parseWitnesses(wrong), /AUDIT_WITNESSES/, wrong);
  assert.throws(() => readConfig({ AUDIT_ORIGIN: 'a b' }), /AUDIT_ORIGIN/);
  assert.equal(readConfig({ BASE_URL: 'https://api.example.com/x' }).AUDIT_ORIGIN, 'api.example.com/x/tlog');
});
