import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';

/** Algorithms of note signatures, by the byte that C2SP signed-note assigns them. */
export const ed25519 = 0x01;
const ed25519Cosignature = 0x04;
const mlDsa44Cosignature = 0x06;

/** A name and a public key for one algorithm, which verify signatures. */
export type Verifier = { name: string; id: number; algorithm: number; key: KeyObject };
/** A signature line: the key's name and id, and the bytes after the id. */
export type Signature = { name: string; id: number; bytes: Buffer };
export type Note = { text: string; signatures: Signature[] };

/** The DER prefix of a SubjectPublicKeyInfo before the public key (RFC 8410, RFC 9881), and the length of the key. */
const encodings: Record<number, { prefix: string; length: number }> = {
  [ed25519]: { prefix: '302a300506032b6570032100', length: 32 },
  [ed25519Cosignature]: { prefix: '302a300506032b6570032100', length: 32 },
  [mlDsa44Cosignature]: { prefix: '30820532300b06096086480165030403110382052100', length: 1312 },
};

/** Whether a text is a valid key name: no spaces, no plus, no control characters. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\s+\p{Cc}]/u.test(name);
}

function keyId(name: string, algorithm: number, publicKey: Buffer): number {
  return hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([algorithm]), publicKey]), 'buffer').readUInt32BE(0);
}

/** Builds a verifier from a raw public key. Throws if the key does not match its algorithm. */
export function verifierOf(name: string, algorithm: number, publicKey: Buffer): Verifier {
  const encoding = encodings[algorithm];
  if (!encoding || publicKey.length !== encoding.length) throw new Error('the algorithm or length of the key is not supported');
  const key = createPublicKey({ key: Buffer.concat([Buffer.from(encoding.prefix, 'hex'), publicKey]), format: 'der', type: 'spki' });
  return { name, id: keyId(name, algorithm, publicKey), algorithm, key };
}

/** Formats `<name>+<id>+<key>` (C2SP signed-note, Verifier keys). */
export function verifierKey(name: string, algorithm: number, publicKey: Buffer): string {
  const id = keyId(name, algorithm, publicKey).toString(16).padStart(8, '0');
  return `${name}+${id}+${Buffer.concat([Buffer.from([algorithm]), publicKey]).toString('base64')}`;
}

/** Parses a verifier key. Throws an error if it is invalid or its id does not match the key. */
export function parseVerifierKey(text: string): Verifier {
  const found = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text.trim());
  if (!found) throw new Error('a verifier key has the format name+8 hex digits+base64 (C2SP signed-note)');
  const [, name = '', id = '', encoded = ''] = found;
  const bytes = Buffer.from(encoded, 'base64');
  const verifier = verifierOf(name, bytes[0] ?? 0, bytes.subarray(1));
  if (verifier.id !== Number.parseInt(id, 16)) throw new Error(`the id in the verifier key of ${name} does not match its key`);
  return verifier;
}

/** Formats an Ed25519 signature of the 32-byte key `publicKey` as a line with its newline. */
export function signatureLine(name: string, publicKey: Buffer, signature: Uint8Array): string {
  return noteLine({ name, id: keyId(name, ed25519, publicKey), bytes: Buffer.from(signature) });
}

/** Formats a signature as a line with its newline. */
export function noteLine({ name, id, bytes }: Signature): string {
  const first = Buffer.alloc(4);
  first.writeUInt32BE(id);
  return `— ${name} ${Buffer.concat([first, bytes]).toString('base64')}\n`;
}

const line = /^— (\S+) ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/u;

/** Parses signature lines; undefined if one of them is invalid. */
export function parseSignatures(lines: string): Signature[] | undefined {
  if (!lines.endsWith('\n')) return undefined;
  const signatures: Signature[] = [];
  for (const each of lines.slice(0, -1).split('\n')) {
    const [, name = '', encoded = ''] = line.exec(each) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    // Unused bits at the end must be zero, so that a signature has only one text.
    if (!isKeyName(name) || bytes.length < 5 || bytes.toString('base64') !== encoded) return undefined;
    signatures.push({ name, id: bytes.readUInt32BE(0), bytes: bytes.subarray(4) });
  }
  return signatures;
}

/** Parses a signed note (C2SP signed-note, Format); undefined if it is invalid. */
export function parseNote(note: string): Note | undefined {
  // oxlint-disable-next-line no-control-regex -- exactly these are forbidden in a note
  if (note.length > 1_000_000 || /[\u0000-\u0009\u000b-\u001f]/.test(note)) return undefined;
  const end = note.lastIndexOf('\n\n');
  const signatures = end === -1 ? undefined : parseSignatures(note.slice(end + 2));
  return signatures && signatures.length <= 64 ? { text: note.slice(0, end + 1), signatures } : undefined;
}

/** Whether a signature over a note’s text is valid. A cosignature is over the timestamped statement (C2SP tlog-cosignature). */
export function verifies(verifier: Verifier, text: string, { name, id, bytes }: Signature): boolean {
  if (name !== verifier.name || id !== verifier.id) return false;
  if (verifier.algorithm === ed25519) return verify(null, Buffer.from(text), verifier.key, bytes);
  if (bytes.length < 9) return false;
  const time = bytes.readBigUInt64BE(0);
  const signed = bytes.subarray(8);
  // A cosignature of a checkpoint contains its time.
  if (time === 0n || time > 2n ** 63n - 1n) return false;
  if (verifier.algorithm === ed25519Cosignature)
    return verify(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), verifier.key, signed);
  return verify(null, subtreeStatement(verifier.name, time, text), verifier.key, signed);
}

/** The `cosigned_message` of an ML-DSA-44 cosignature over a whole checkpoint. */
function subtreeStatement(cosigner: string, time: bigint, text: string): Buffer {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const short = (value: string): Buffer => {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  };
  const long = (value: bigint): Buffer => {
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
