import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

// version (1) | key id (4) | nonce (12) | tag (16) | ciphertext
const version = 1;
const headerBytes = 1 + 4 + 12 + 16;

function keyId(key: Buffer): Buffer {
  return createHash('sha256').update('chancery key id').update(key).digest().subarray(0, 4);
}

/** Encrypts with the newest key and decrypts with every key, so that keys can be rotated. */
export type Box = {
  seal(plaintext: string | Buffer, boundTo: string): Buffer;
  open(sealed: Buffer, boundTo: string): Buffer;
  /** The key ID of the newest key. Each secret that it encrypts has this ID at {@link keyIdAt}. */
  newest: Buffer;
};

/** Position and length of the key ID in an encrypted secret, in bytes from 0. */
export const keyIdAt = { start: 1, length: 4 } as const;

/** @param keys keys of one purpose, the newest first */
export function createBox(keys: readonly [Buffer, ...Buffer[]]): Box {
  const known = keys.map((key) => ({ key, id: keyId(key) }));
  return {
    seal: (plaintext, boundTo) => seal(keys[0], plaintext, boundTo),
    open(sealed, boundTo) {
      const id = sealed.subarray(keyIdAt.start, keyIdAt.start + keyIdAt.length);
      return open(known.find((one) => one.id.equals(id))?.key ?? keys[0], sealed, boundTo);
    },
    newest: keyId(keys[0]),
  };
}

/** Encrypts with AES-256-GCM. `boundTo` names the table and row of the secret. A ciphertext that was copied to another row does not decrypt. */
export function seal(key: Buffer, plaintext: string | Buffer, boundTo: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(boundTo));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(version), keyId(key), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts the output of {@link seal}. Throws an error without secret material if the key, the row or a byte differs. */
export function open(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  if (sealed.length < headerBytes || sealed[0] !== version) throw new Error('An encrypted secret has an unknown format.');
  if (!sealed.subarray(1, 5).equals(keyId(key))) throw new Error('An encrypted secret was created with another master key.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(5, 17));
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(sealed.subarray(17, headerBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(headerBytes)), decipher.final()]);
  } catch {
    throw new Error('An encrypted secret was changed or belongs to another row.');
  }
}
