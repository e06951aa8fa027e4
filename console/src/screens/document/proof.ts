import type { AuditEntry, AuditInclusionProof } from '@chancery/client';

/** Why a proof does not hold. */
export type ProofError = 'other_entry' | 'body' | 'leaf' | 'path' | 'checkpoint' | 'signature' | 'no_key';
/** The checkpoint that contains the entry, or why it does not. */
export type ProofResult = { ok: true; treeSize: number; index: number } | { ok: false; error: ProofError };

type Bytes = Uint8Array<ArrayBuffer>;

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const equal = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, at) => byte === b[at]);

function joined(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
const sha256 = async (...parts: readonly Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));

/** Canonical JSON (RFC 8785): members sorted by UTF-16 code units, without white space. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** The root that an inclusion path leads to (RFC 9162 §2.1.3.2); undefined if the path has the wrong length. */
async function rootOf(index: number, size: number, leaf: Bytes, path: readonly Bytes[]): Promise<Bytes | undefined> {
  if (index >= size) return undefined;
  let [fn, sn, root] = [index, size - 1, leaf];
  const half = () => {
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  };
  for (const hash of path) {
    if (sn === 0) return undefined;
    if (fn % 2 === 1 || fn === sn) {
      root = await sha256(Uint8Array.of(1), hash, root);
      while (fn % 2 === 0 && fn !== 0) half();
    } else root = await sha256(Uint8Array.of(1), root, hash);
    half();
  }
  return sn === 0 ? root : undefined;
}

/** A verifier key of a signed note (C2SP): name, key ID, and an Ed25519 key. */
async function verifierOf(text: string): Promise<{ name: string; id: string; key: CryptoKey } | undefined> {
  const [, name = '', id = '', encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes[0] !== 1 || bytes.length !== 33) return undefined;
  const digest = await sha256(utf8(`${name}\n`), bytes);
  if (hex(digest.subarray(0, 4)) !== id) return undefined;
  return { name, id, key: await crypto.subtle.importKey('raw', bytes.subarray(1), 'Ed25519', false, ['verify']) };
}
const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether one of the keys signed a note. */
async function isSigned(note: string, keys: readonly string[]): Promise<boolean> {
  const end = note.lastIndexOf('\n\n');
  const text = utf8(note.slice(0, end + 1));
  const lines = note.slice(end + 2).split('\n');
  for (const key of keys) {
    const verifier = await verifierOf(key);
    for (const line of verifier ? lines : []) {
      const [, name, encoded = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
      const bytes = fromBase64(encoded);
      if (!verifier || name !== verifier.name || hex(bytes.subarray(0, 4)) !== verifier.id) continue;
      if (await crypto.subtle.verify('Ed25519', verifier.key, bytes.subarray(4), text)) return true;
    }
  }
  return false;
}

/** The entry that the person sees. */
type ShownEntry = Pick<AuditEntry, 'id' | 'type' | 'at' | 'actor' | 'target' | 'data'>;

/**
 * Verifies in this browser that the journal contains an entry as it is shown. The content of the entry must lead to a leaf of the tree, and the path of
 * the leaf to the root of a checkpoint. One of the keys must have signed the checkpoint.
 */
export async function verifyInclusion(entry: ShownEntry, proof: AuditInclusionProof, keys: readonly string[]): Promise<ProofResult> {
  const fail = (error: ProofError): ProofResult => ({ ok: false, error });
  const { record, body } = proof;
  const proven = record.v === 1 ? record : body;
  const targetId = record.v === 1 ? record.target?.id : body?.targetId;
  const shown = [entry.id, entry.type, new Date(entry.at).getTime(), entry.actor, entry.target?.type, entry.target?.id, entry.data];
  const claimed = [record.id, record.type, new Date(record.at).getTime(), proven?.actor, record.target?.type, targetId, proven?.data];
  if (canonicalJson(shown) !== canonicalJson(claimed)) return fail('other_entry');
  if (record.v === 2) {
    const digest = await sha256(utf8(canonicalJson([body?.salt, 'body', body])));
    if (!equal(digest, fromBase64(record.body))) return fail('body');
  }
  const leaf = await sha256(Uint8Array.of(0), await sha256(utf8(canonicalJson(record))));
  if (!equal(leaf, fromBase64(proof.leafHash))) return fail('leaf');
  const root = await rootOf(proof.index, proof.treeSize, leaf, proof.inclusionPath.map(fromBase64));
  if (!root) return fail('path');
  const [, size, rootText = ''] = proof.checkpoint.split('\n');
  if (Number(size) !== proof.treeSize || !equal(root, fromBase64(rootText))) return fail('checkpoint');
  if (keys.length === 0) return fail('no_key');
  return (await isSigned(proof.checkpoint, keys)) ? { ok: true, treeSize: proof.treeSize, index: proof.index } : fail('signature');
}
