import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Deviations from the correct behaviour of an authenticator and its browser. */
export type Odd = {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  /** The signature counter to report. By default it is one more than before. */
  count?: number;
  /** Whether the user was present, and whether a PIN or biometrics verified the user. Both are true by default. */
  present?: boolean;
  verified?: boolean;
  userHandle?: string;
  /** A key to sign with in place of the key of the credential. */
  key?: KeyObject;
};

/** A software authenticator (WebAuthn Level 3): one ES256 credential, used as by a browser on a page of `origin`. */
export type Authenticator = {
  id: string;
  key: KeyObject;
  create(options: any, odd?: Odd): any;
  get(options: any, odd?: Odd): any;
};

const text64 = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** Encodes the CBOR types (RFC 8949) that attestations need: integers, bytes, text and maps. */
function cbor(value: number | string | Buffer | Map<unknown, any>): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.of(major * 32 + length)
      : length < 256
        ? Buffer.of(major * 32 + 24, length)
        : Buffer.of(major * 32 + 25, length >> 8, length & 255);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([name, member]) => [cbor(name as number), cbor(member)])]);
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cbor(
    new Map<number, number | Buffer>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

/**
 * Creates an authenticator. `counts`: it counts its signatures. `synced`: its key is on several devices. `bare`: its assertions have no user handle.
 */
export function createAuthenticator({
  origin = 'http://localhost:8080',
  counts = true,
  synced = false,
  bare = false,
}: { origin?: string; counts?: boolean; synced?: boolean; bare?: boolean } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credential = randomBytes(32);
  let count = 0;
  let handle: string | undefined;

  const clientData = (type: string, challenge: string, odd: Odd) =>
    Buffer.from(
      JSON.stringify({
        type: odd.type ?? type,
        challenge: odd.challenge ?? challenge,
        origin: odd.origin ?? origin,
        crossOrigin: odd.crossOrigin ?? false,
      }),
    );
  const authenticatorData = (rpId: string, odd: Odd, attested?: Buffer) => {
    count = counts ? count + 1 : 0;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(odd.count ?? count);
    const flags = (odd.present === false ? 0 : 0x01) | (odd.verified === false ? 0 : 0x04) | (synced ? 0x18 : 0) | (attested ? 0x40 : 0);
    return Buffer.concat([sha256(odd.rpId ?? rpId), Buffer.of(flags), counter, attested ?? Buffer.alloc(0)]);
  };

  return {
    id: text64(credential),
    key: privateKey,
    create(options, odd = {}) {
      handle = options.user.id;
      const length = Buffer.of(0, credential.length);
      const authData = authenticatorData(options.rp.id, odd, Buffer.concat([Buffer.alloc(16), length, credential, coseKey(publicKey)]));
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return {
        id: text64(credential),
        rawId: text64(credential),
        type: 'public-key',
        response: {
          clientDataJSON: text64(clientData('webauthn.create', options.challenge, odd)),
          attestationObject: text64(attestation),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    get(options, odd = {}) {
      const client = clientData('webauthn.get', options.challenge, odd);
      const authData = authenticatorData(options.rpId, odd);
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), odd.key ?? privateKey);
      const userHandle = odd.userHandle ?? (bare ? undefined : handle);
      return {
        id: text64(credential),
        rawId: text64(credential),
        type: 'public-key',
        response: {
          clientDataJSON: text64(client),
          authenticatorData: text64(authData),
          signature: text64(signature),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
        clientExtensionResults: {},
      };
    },
  };
}
