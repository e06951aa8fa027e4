// Written by `npm run generate` from src/records/journal/evidence/verifier.ts.
// src/records/journal/evidence/verifier.ts
import process from 'node:process';
import { parseArgs } from 'node:util';

// src/records/journal/evidence/verify-file.ts
import { open, readFile } from 'node:fs/promises';

// src/records/journal/tree/note.ts
import { createPublicKey, hash, verify } from 'node:crypto';
var ed25519 = 1;
var ed25519Cosignature = 4;
var mlDsa44Cosignature = 6;
var encodings = {
  [ed25519]: { prefix: '302a300506032b6570032100', length: 32 },
  [ed25519Cosignature]: { prefix: '302a300506032b6570032100', length: 32 },
  [mlDsa44Cosignature]: { prefix: '30820532300b06096086480165030403110382052100', length: 1312 },
};
function isKeyName(name) {
  return name !== '' && !/[\s+\p{Cc}]/u.test(name);
}
function keyId(name, algorithm, publicKey) {
  return hash(
    'sha256',
    Buffer.concat([
      Buffer.from(`${name}
`),
      Buffer.from([algorithm]),
      publicKey,
    ]),
    'buffer',
  ).readUInt32BE(0);
}
function verifierOf(name, algorithm, publicKey) {
  const encoding = encodings[algorithm];
  if (!encoding || publicKey.length !== encoding.length) throw new Error('the algorithm or length of the key is not supported');
  const key = createPublicKey({ key: Buffer.concat([Buffer.from(encoding.prefix, 'hex'), publicKey]), format: 'der', type: 'spki' });
  return { name, id: keyId(name, algorithm, publicKey), algorithm, key };
}
function parseVerifierKey(text) {
  const found = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text.trim());
  if (!found) throw new Error('a verifier key has the format name+8 hex digits+base64 (C2SP signed-note)');
  const [, name = '', id = '', encoded = ''] = found;
  const bytes = Buffer.from(encoded, 'base64');
  const verifier = verifierOf(name, bytes[0] ?? 0, bytes.subarray(1));
  if (verifier.id !== Number.parseInt(id, 16)) throw new Error(`the id in the verifier key of ${name} does not match its key`);
  return verifier;
}
var line = /^— (\S+) ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/u;
function parseSignatures(lines) {
  if (!lines.endsWith('\n')) return void 0;
  const signatures = [];
  for (const each of lines.slice(0, -1).split('\n')) {
    const [, name = '', encoded = ''] = line.exec(each) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    if (!isKeyName(name) || bytes.length < 5 || bytes.toString('base64') !== encoded) return void 0;
    signatures.push({ name, id: bytes.readUInt32BE(0), bytes: bytes.subarray(4) });
  }
  return signatures;
}
function parseNote(note) {
  if (note.length > 1e6 || /[\u0000-\u0009\u000b-\u001f]/.test(note)) return void 0;
  const end = note.lastIndexOf('\n\n');
  const signatures = end === -1 ? void 0 : parseSignatures(note.slice(end + 2));
  return signatures && signatures.length <= 64 ? { text: note.slice(0, end + 1), signatures } : void 0;
}
function verifies(verifier, text, { name, id, bytes }) {
  if (name !== verifier.name || id !== verifier.id) return false;
  if (verifier.algorithm === ed25519) return verify(null, Buffer.from(text), verifier.key, bytes);
  if (bytes.length < 9) return false;
  const time = bytes.readBigUInt64BE(0);
  const signed = bytes.subarray(8);
  if (time === 0n || time > 2n ** 63n - 1n) return false;
  if (verifier.algorithm === ed25519Cosignature)
    return verify(
      null,
      Buffer.from(`cosignature/v1
time ${time}
${text}`),
      verifier.key,
      signed,
    );
  return verify(null, subtreeStatement(verifier.name, time, text), verifier.key, signed);
}
function subtreeStatement(cosigner, time, text) {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const short = (value) => {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  };
  const long = (value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(value);
    return bytes;
  };
  return Buffer.concat([
    Buffer.from('subtree/v1\n\0'),
    short(cosigner),
    long(time),
    short(origin),
    long(0n),
    long(BigInt(size)),
    Buffer.from(root, 'base64'),
  ]);
}

// src/records/journal/tree/checkpoint.ts
function parseCheckpoint(text) {
  const note = parseNote(text);
  if (!note) return void 0;
  const [origin = '', size = '', root = ''] = note.text.split('\n');
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || !/^[A-Za-z0-9+/]{43}=$/.test(root)) return void 0;
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), ...note };
}
function rawKey({ kty, crv, x }) {
  const bytes = Buffer.from(x ?? '', 'base64url');
  return kty === 'OKP' && crv === 'Ed25519' && bytes.length === 32 ? bytes : void 0;
}
function logVerifiers(keys, name) {
  return keys.map(rawKey).flatMap((raw) => (raw ? [verifierOf(name, ed25519, raw)] : []));
}
function isSignedBy(checkpoint, verifiers) {
  const claimed = checkpoint.signatures.flatMap((signature) =>
    verifiers.filter(({ name, id }) => name === signature.name && id === signature.id).map((verifier) => ({ verifier, signature })),
  );
  return claimed.length > 0 && claimed.every(({ verifier, signature }) => verifies(verifier, checkpoint.text, signature));
}

// src/records/journal/tree/merkle.ts
import { hash as hash2 } from 'node:crypto';
var leafPrefix = Buffer.from([0]);
var nodePrefix = Buffer.from([1]);
function sha256(...parts) {
  const [only] = parts;
  return hash2('sha256', parts.length === 1 && only ? only : Buffer.concat(parts), 'buffer');
}
var emptyRoot = sha256(Buffer.alloc(0));
function leafHash(entry) {
  return sha256(leafPrefix, entry);
}
function nodeHash(left, right) {
  return sha256(nodePrefix, left, right);
}
var half = (n) => Math.floor(n / 2);
function rootOfInclusion(index, size, leaf, proof) {
  if (index >= size) return void 0;
  let [fn, sn, root] = [index, size - 1, leaf];
  for (const hashed of proof) {
    if (sn === 0) return void 0;
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(hashed, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      root = nodeHash(root, hashed);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 ? root : void 0;
}

// src/records/journal/tree/leaf.ts
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== void 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
function addressDigest({ salt, ip }) {
  return sha256(Buffer.from(canonicalJson([salt, 'ip', ip])));
}
function bodyDigest(body) {
  return sha256(Buffer.from(canonicalJson([body.salt, 'body', body]))).toString('base64');
}
function commitment(record) {
  return sha256(Buffer.from(canonicalJson(record)));
}
function recordLeaf(record) {
  return leafHash(commitment(record));
}

// src/records/journal/evidence/verify-export.ts
var exportFormat = 'chancery-audit-export@2';
var earlierFormat = 'chancery-audit-export@1';
var ExportError = class extends Error {};
function readLogKeys(text) {
  if (!text.trim().startsWith('{')) {
    const verifiers = text.trim().split(/\s+/).map(parseVerifierKey);
    return (origin) => verifiers.filter(({ name }) => name === origin);
  }
  const parsed = JSON.parse(text);
  const keys = parsed.keys ?? [parsed];
  if (logVerifiers(keys, 'any').length === 0) throw new Error('the key is not an Ed25519 key (kty OKP, crv Ed25519)');
  return (origin) => logVerifiers(keys, origin);
}
async function verifyExport(lines, trusted) {
  const reading = {
    line: 0,
    head: void 0,
    ended: false,
    entries: 0,
    number: 0,
    indexes: /* @__PURE__ */ new Map(),
    erased: 0,
    closed: 0,
  };
  try {
    for await (const text of lines) readLine(reading, text, trusted);
    if (!reading.head) throw new ExportError('the file is empty');
    if (!reading.ended) throw new ExportError('the file is cut short: its last line is missing');
  } catch (error) {
    if (error instanceof ExportError) return { ok: false, error: `line ${reading.line}: ${error.message}` };
    throw error;
  }
  const { own, teamId, after } = reading.head;
  const { entries, erased: addressesErased, closed: bodiesLeftOut } = reading;
  return { ok: true, teamId, entries, firstNumber: after + 1, size: own.size, origin: own.origin, addressesErased, bodiesLeftOut };
}
function readLine(reading, text, trusted) {
  reading.line += 1;
  if (reading.ended) throw new ExportError('the file has lines after its end');
  const value = object(text);
  if (!reading.head) {
    reading.head = readHead(value, trusted);
    reading.number = reading.head.after;
    return;
  }
  if (value.end !== true) return verifyLine(value, reading.head, reading);
  if (value.entries !== reading.entries)
    throw new ExportError(`the end line states ${String(value.entries)} entries, but the file has ${reading.entries}`);
  reading.ended = true;
}
function object(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ExportError('the line is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw new ExportError('the line is not a JSON object');
  return value;
}
function readHead(value, trusted) {
  const { format, teamId, after } = value;
  if (format !== exportFormat && format !== earlierFormat)
    throw new ExportError(`the file is not an export in the format ${exportFormat} or ${earlierFormat}`);
  const named = format === earlierFormat ? [{ checkpoint: value.checkpoint }] : Array.isArray(value.logs) ? value.logs : [];
  const trees = new Map(named.map((one) => [one?.log, signedCheckpoint(String(one?.checkpoint), trusted)]));
  const [own] = trees.values();
  if (!own || typeof teamId !== 'string' || typeof after !== 'number')
    throw new ExportError('the first line has no checkpoint, team or number');
  return { own, trees, teamId, after };
}
function signedCheckpoint(note, { keys, witnesses }) {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint) throw new ExportError('the first line has no checkpoint, team or number');
  if (!isSignedBy(checkpoint, keys(checkpoint.origin)))
    throw new ExportError(`the checkpoint of ${checkpoint.origin} has no valid signature of the given key`);
  for (const witness of witnesses) {
    if (!checkpoint.signatures.some((signature) => verifies(witness, checkpoint.text, signature)))
      throw new ExportError(`the witness ${witness.name} has not cosigned the checkpoint`);
  }
  return checkpoint;
}
function verifyLine(value, { trees, teamId }, seen) {
  const { log, index, inclusionPath } = value;
  const record = value.record;
  const body = value.body;
  const address = value.address;
  if (typeof index !== 'number' || !Array.isArray(inclusionPath) || typeof record !== 'object' || record === null)
    throw new ExportError('the line is not an entry with its proof');
  const named = `entry ${record.id} (number ${record.number})`;
  if (record.teamId !== teamId) throw new ExportError(`${named} belongs to another team`);
  const checkpoint = trees.get(log);
  if (!checkpoint) throw new ExportError(`${named} is in a tree that the first line does not name`);
  const root = rootOfInclusion(
    index,
    checkpoint.size,
    recordLeaf(record),
    inclusionPath.map((hash3) => Buffer.from(String(hash3), 'base64')),
  );
  if (!root?.equals(checkpoint.root)) throw new ExportError(`${named} is not leaf ${index} of the signed tree: it was changed`);
  if (record.number !== seen.number + 1)
    throw new ExportError(`after number ${seen.number} comes ${named}: entries are missing or out of order`);
  if (index <= (seen.indexes.get(log) ?? -1)) throw new ExportError(`${named} is before the previous entry in the tree`);
  if (record.v === 2 && body !== void 0 && bodyDigest(body) !== record.body)
    throw new ExportError(`the body of ${named} is not the recorded one`);
  const ip = record.v === 2 ? body?.ip : record.ip;
  if (address !== void 0 && addressDigest(address).toString('base64') !== ip)
    throw new ExportError(`the address of ${named} is not the recorded one`);
  seen.entries += 1;
  seen.number = record.number;
  seen.indexes.set(log, index);
  if (ip !== void 0 && address === void 0) seen.erased += 1;
  if (record.v === 2 && body === void 0) seen.closed += 1;
}

// src/records/journal/evidence/verify-file.ts
async function keyText(given) {
  return /^\s*\{|\+[0-9a-f]{8}\+/.test(given) ? given : readFile(given, 'utf8');
}
async function verifyFile({ file, key, witnesses }, write) {
  const trusted = { keys: readLogKeys(await keyText(key)), witnesses: witnesses.map(parseVerifierKey) };
  const verdict = await verifyExport((await open(file)).readLines(), trusted);
  if (!verdict.ok) {
    write(`\u2717 ${verdict.error}`);
    return 1;
  }
  const { entries, firstNumber, teamId, size, origin, addressesErased, bodiesLeftOut } = verdict;
  write(
    `\u2713 ${entries} entries of team ${teamId}, from number ${firstNumber} on without a gap, are in the tree of ${size} that ${origin} signed.`,
  );
  if (addressesErased > 0) write(`  The addresses of ${addressesErased} entries were erased; their leaves are unchanged.`);
  if (bodiesLeftOut > 0) write(`  ${bodiesLeftOut} entries have no body in the file: only their type and time are proven.`);
  return 0;
}

// src/records/journal/evidence/verifier.ts
var usage = `Usage: node verify-export.js <export> --key <key> [--witness <verifier key>]

Verifies an export of the audit journal with Node.js 22 alone: no installation, no database, no network.
<key> is a verifier key (name+id+base64), a JSON Web Key or a key set, or the name of a file that contains one.
Exit codes: 0 if everything matches, 1 if something does not match, 2 for invalid arguments.
`;
async function run() {
  const options = { key: { type: 'string' }, witness: { type: 'string', multiple: true, default: [] } };
  let given;
  try {
    given = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${String(error)}

${usage}`);
    return 2;
  }
  const [file, ...others] = given.positionals;
  const { key, witness: witnesses } = given.values;
  if (file === void 0 || others.length > 0 || key === void 0) {
    process.stderr.write(usage);
    return 2;
  }
  try {
    return await verifyFile(
      { file, key, witnesses },
      (line2) =>
        void process.stdout.write(`${line2}
`),
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}
`);
    return 1;
  }
}
process.exitCode = await run();
