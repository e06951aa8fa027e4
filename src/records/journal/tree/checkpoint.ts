import type { TreeHead } from './merkle.ts';
import { ed25519, type Note, parseNote, signatureLine, type Verifier, verifierKey, verifierOf, verifies } from './note.ts';

/** A tree head in the format C2SP tlog-checkpoint. `text` is the signed part. */
export type Checkpoint = TreeHead & { origin: string; text: string; signatures: Note['signatures'] };

/** The public key of a witness key, as in the key set. */
type PublicKey = { kty?: string; crv?: string; x?: string; kid?: string };
/** The functions of the service’s keys that this file uses. */
export type WitnessKeys = {
  signer(purpose: 'witness'): { kid: string; key: CryptoKey };
  publicKeys(purpose: 'witness'): PublicKey[];
  reload(): Promise<void>;
};

export function checkpointText(origin: string, { size, root }: TreeHead): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** Parses a checkpoint; undefined if it is invalid. The result is not trusted until a signature is verified. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const note = parseNote(text);
  if (!note) return undefined;
  const [origin = '', size = '', root = ''] = note.text.split('\n');
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || !/^[A-Za-z0-9+/]{43}=$/.test(root)) return undefined;
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), ...note };
}

/** Returns the raw 32 bytes of an Ed25519 key in a key set (RFC 8037); undefined for other keys. */
export function rawKey({ kty, crv, x }: PublicKey): Buffer | undefined {
  const bytes = Buffer.from(x ?? '', 'base64url');
  return kty === 'OKP' && crv === 'Ed25519' && bytes.length === 32 ? bytes : undefined;
}

/** Converts published witness keys to verifiers of the notes that the log with this name signs. */
export function logVerifiers(keys: readonly PublicKey[], name: string): Verifier[] {
  return keys.map(rawKey).flatMap((raw) => (raw ? [verifierOf(name, ed25519, raw)] : []));
}

/** Converts published witness keys to verifier keys for other tools (C2SP signed-note, Verifier keys). */
export function logVerifierKeys(keys: readonly PublicKey[], name: string): string[] {
  return keys.map(rawKey).flatMap((raw) => (raw ? [verifierKey(name, ed25519, raw)] : []));
}

/** Signs a tree head with the active witness key. */
export async function signCheckpoint(keys: WitnessKeys, origin: string, head: TreeHead): Promise<string> {
  const { kid, key } = keys.signer('witness');
  const published = keys.publicKeys('witness').find((candidate) => candidate.kid === kid);
  const raw = published && rawKey(published);
  if (!raw) throw new Error('the active witness key is not an Ed25519 key');
  const text = checkpointText(origin, head);
  const signature = await crypto.subtle.sign('Ed25519', key, Buffer.from(text));
  return `${text}\n${signatureLine(origin, raw, new Uint8Array(signature))}`;
}

/**
 * Whether one of the verifiers signed the checkpoint. An invalid signature under a known key invalidates the whole note (C2SP signed-note,
 * Signatures).
 */
export function isSignedBy(checkpoint: Checkpoint, verifiers: readonly Verifier[]): boolean {
  const claimed = checkpoint.signatures.flatMap((signature) =>
    verifiers.filter(({ name, id }) => name === signature.name && id === signature.id).map((verifier) => ({ verifier, signature })),
  );
  return claimed.length > 0 && claimed.every(({ verifier, signature }) => verifies(verifier, checkpoint.text, signature));
}
