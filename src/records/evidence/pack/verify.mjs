// Verifies an evidence pack without the service and without a network: node verify.mjs [--key <verifier key>]
// Prints OK, or the first error.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

const sha256 = (...parts) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
const hex = (bytes) => sha256(bytes).toString('hex');
const fail = (what) => {
  console.error(`DOES NOT MATCH: ${what}`);
  process.exit(1);
};
const parsed = (text, what) => {
  try {
    return JSON.parse(text);
  } catch {
    return fail(`${what} is not JSON`);
  }
};

// RFC 8785: members in the order of UTF-16 code units, no white space.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

// RFC 9162 §2.1.3.2.
function rootOf(index, size, leaf, path) {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return undefined;
  let [fn, sn, root] = [index, size - 1, leaf];
  for (const hash of path) {
    if (sn === 0) return undefined;
    if (fn % 2 === 1 || fn === sn) {
      root = sha256([1], hash, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else root = sha256([1], root, hash);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 ? root : undefined;
}

// Files, as listed in the manifest.
if (!existsSync('manifest.json')) fail('manifest.json is missing');
const manifestBytes = readFileSync('manifest.json');
const manifest = parsed(manifestBytes.toString('utf8'), 'manifest.json');
if (manifest.format !== 'chancery-evidence@1') fail('manifest.json has an unknown format');
const contents = new Map();
for (const { path, size, sha256: wanted } of manifest.files) {
  if (path.startsWith('/') || path.split(/[/\\]/).includes('..')) fail(`${path} is outside the folder`);
  if (!existsSync(path)) fail(`${path} is missing`);
  if (statSync(path).size !== size) fail(`${path} has a different size than in the manifest`);
  const hash = createHash('sha256');
  const bytes = readFileSync(path);
  if (hash.update(bytes).digest('hex') !== wanted) fail(`${path} was changed`);
  if (path.startsWith('signatures/')) contents.set(path, bytes);
}
const listed = new Set([...manifest.files.map(({ path }) => path), 'manifest.json', 'journal.jsonl']);
for (const folder of ['files', 'signatures']) {
  if (!existsSync(folder)) continue;
  for (const entry of readdirSync(folder, { recursive: true })) {
    const path = `${folder}/${String(entry).replaceAll('\\', '/')}`;
    if (!statSync(path).isDirectory() && !listed.has(path)) fail(`${path} was added: the manifest does not list it`);
  }
}

// The head of the journal: for each tree a checkpoint signed by one of the keys (C2SP signed-note).
if (!existsSync('journal.jsonl')) fail('journal.jsonl is missing');
const text = readFileSync('journal.jsonl', 'utf8');
if (!text.endsWith('\n')) fail('journal.jsonl is cut short');
const lines = text.slice(0, -1).split('\n');
const head = parsed(lines[0], 'line 1 of journal.jsonl');
if (head.format !== 'chancery-evidence-journal@2' || !(head.logs?.length > 0)) fail('line 1 of journal.jsonl has an unknown format');
const at = process.argv.indexOf('--key');
const given = at > 0 ? [process.argv[at + 1] ?? ''] : undefined;
const keys = (given ?? head.verifierKeys).map((key) => {
  const [, name, id, encoded] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(key.trim()) ?? fail(`${key} is not a verifier key`);
  const raw = Buffer.from(encoded, 'base64');
  if (raw[0] !== 1 || raw.length !== 33) fail(`the key of ${name} is not an Ed25519 key`);
  if (sha256(`${name}\n`, raw).readUInt32BE(0) !== Number.parseInt(id, 16)) fail(`the id of the key of ${name} does not match the key`);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw.subarray(1)]);
  return { name, id: Number.parseInt(id, 16), key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
});
function opened({ log, checkpoint }) {
  const end = checkpoint.indexOf('\n\n');
  const signed = checkpoint.slice(0, end + 1);
  const [origin, size, root] = signed.split('\n');
  const ours = checkpoint
    .slice(end + 2)
    .split('\n')
    .flatMap((line) => {
      const [, name, encoded] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
      const bytes = Buffer.from(encoded ?? '', 'base64');
      if (bytes.length < 5) return [];
      return keys
        .filter((key) => key.name === name && name === origin && key.id === bytes.readUInt32BE(0))
        .map((key) => verify(null, Buffer.from(signed), key.key, bytes.subarray(4)));
    });
  if (ours.length === 0 || ours.includes(false)) fail('the checkpoint of the journal has no valid signature of the key');
  return [log, { origin, size: Number(size), root: Buffer.from(root, 'base64') }];
}
const trees = new Map(head.logs.map(opened));

// Entries, each a leaf of its tree. A record of version 2 has its content in a body, which may be left out.
const contentOf = ({ record, body }) => {
  if (record.v === 1) return { ...record, targetId: record.target?.id };
  return body ?? { data: {} };
};
const last = parsed(lines.at(-1), 'the last line of journal.jsonl');
if (last.end !== true || last.entries !== lines.length - 2) fail('the last line of journal.jsonl states a different number of entries');
const proven = new Set();
let committed = false;
// Numbers of the entries about the resource. Those after the entry of the file list are later than the contents of the pack.
const places = [];
let listedAt = 0;
for (const [place, line] of lines.slice(1, -1).entries()) {
  const named = `line ${place + 2} of journal.jsonl`;
  const { log, index, record, body, address, inclusionPath } = parsed(line, named);
  const tree = trees.get(log);
  if (!tree) fail(`${named} is in a tree that line 1 does not name`);
  if (record?.teamId !== manifest.teamId) fail(`${named} belongs to another team`);
  const leaf = sha256([0], sha256(canonical(record)));
  const found = rootOf(
    index,
    tree.size,
    leaf,
    inclusionPath.map((hash) => Buffer.from(hash, 'base64')),
  );
  if (!found?.equals(tree.root)) fail(`${named} is not a leaf of the signed tree: it was changed`);
  if (record.v === 2 && body && sha256(canonical([body.salt, 'body', body])).toString('base64') !== record.body)
    fail(`the body in ${named} differs from the recorded body`);
  const content = contentOf({ record, body });
  if (address !== undefined && sha256(canonical([address.salt, 'ip', address.ip])).toString('base64') !== content.ip)
    fail(`the address in ${named} differs from the recorded address`);
  if (typeof content.data.evidenceSha256 === 'string') proven.add(content.data.evidenceSha256);
  if (content.targetId !== manifest.packId) places.push(record.number);
  if (record.type === 'evidence.manifest_recorded' && content.targetId === manifest.packId) {
    committed = content.data.manifestSha256 === hex(manifestBytes);
    listedAt = record.number;
  }
}
if (!committed) fail('the journal has a different hash of manifest.json');

// Statements of signers: each is signed, chained to the previous one, and named by an entry.
const published = contents.has('signatures/keys.json') ? parsed(contents.get('signatures/keys.json'), 'signatures/keys.json').keys : [];
const decoded = (part, path) => parsed(Buffer.from(part ?? '', 'base64url').toString('utf8'), path);
/** Returns the documents of a statement. Statements from before envelopes have one, in their own members. */
const documentsOf = ({ documents, documentId: id, documentVersion: version, documentSha256: hash }) =>
  documents ?? [{ id, version, sha256: hash }];

const before = new Map();
let [statements, redacted] = [0, 0];
for (const [path, bytes] of [...contents].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const [, request, kind] = /^signatures\/([^/]+)\/\d+\.(jws|json)$/.exec(path) ?? [];
  if (request === undefined) continue;
  let own;
  let content;
  if (kind === 'jws') {
    const [header, payload, signature] = bytes.toString('utf8').split('.');
    const { kid, alg } = decoded(header, path);
    const jwk = published.find((key) => key.kid === kid);
    if (!jwk || (alg !== 'EdDSA' && alg !== 'Ed25519')) fail(`${path} is signed by a key that is not published`);
    const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
    if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature ?? '', 'base64url')))
      fail(`the signature of ${path} is not valid`);
    [own, content] = [hex(bytes), decoded(payload, path)];
    statements += 1;
  } else {
    ({ sha256: own, content } = parsed(bytes, path));
    redacted += 1;
  }
  if (content.requestId !== request) fail(`${path} belongs to another request`);
  if (content.previousSha256 !== before.get(request)) fail(`${path} does not follow the statement before it`);
  if (!head.leftOut && !proven.has(own)) fail(`no journal entry names ${path}`);
  for (const { id, version, sha256: hash } of documentsOf(content)) {
    const file = manifest.files.find((one) => one.version === version && (one.documentId ?? id) === id);
    if (file && file.sha256 !== hash) fail(`${path} is about a different file than ${file.path}`);
  }
  before.set(request, own);
}

console.log(
  `OK: ${manifest.files.length} files, ${lines.length - 2} journal entries, ${statements} verified signatures of statements${redacted > 0 ? `, ${redacted} statements without addresses` : ''}.`,
);
for (const { origin, size, root } of trees.values())
  console.log(
    `Journal ${origin}, ${size} entries, root ${root.toString('base64')}; the key was ${given ? 'given' : 'the one in the pack'}.`,
  );
const later = places.filter((place) => place > listedAt).length;
if (later > 0) console.log(`After the file list: ${later} of these entries. The pack does not have their content.`);
if (redacted > 0) {
  console.log(`NOT VERIFIED: the signatures of ${redacted} statements. They cover network addresses, which are not in this pack.`);
  console.log('The journal proves the content of these statements. A pack with "include": ["network"] has the signed statements.');
}
for (const what of manifest.leftOut) console.log(`Left out: ${what}`);
if (head.leftOut) console.log('Left out: the newest journal entries.');
