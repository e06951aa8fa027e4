import type { DomainText, OperationText } from '../../platform/http/openapi/texts.ts';

const kid = '019d2f4e-6a00-7c2b-9a54-0000000000a1';
const elliptic = {
  kty: 'EC',
  kid,
  alg: 'ES256',
  use: 'sig',
  crv: 'P-256',
  x: 'UhH8NBjswKHIvXMh49DzrGrqq-ZWGZtLgOT_YZO8248',
  y: 'rqczT5uaZioRFKVlbQ8BsgA_wpcZq7QQg2NOEa9hJlA',
};
const edwards = { kty: 'OKP', kid, alg: 'EdDSA', use: 'sig', crv: 'Ed25519', x: 'r6QDCn8UhcBaGdZY8IfVBafL8vcYv_mo_Su2Lk4vYoM' };

const set = (text: string, key: object): OperationText => ({ text, answer: { keys: [key] } });

export const description: DomainText = {
  operations: {
    getAccessTokenKeys: set(
      'Returns the public keys of access tokens (RFC 7517), for services that verify tokens locally. The set always includes the next key, so that a rotation breaks no cache. Cache the set as long as `Cache-Control` says, and read it again when a `kid` is unknown.',
      elliptic,
    ),
    getJournalKeys: set(
      'Returns the public keys of the audit journal’s checkpoints. Earlier keys stay in the set, because they verify older checkpoints and exports.',
      edwards,
    ),
    getWebhookKeys: set(
      'Returns the public keys of the Ed25519 signatures of webhook deliveries. An endpoint gets them if its settings request them. A receiver that verifies with these keys needs no shared secret.',
      edwards,
    ),
    getEvidenceKeys: set(
      'Returns the public keys of signature evidence. Each action of a signer is recorded as a JWS (RFC 7515) that names its key. All keys stay in the set, because evidence is verified years later.',
      edwards,
    ),
    getSealAuthority: {
      text: 'Returns the certificate (PEM) of the authority that issues this service’s seal certificates, for readers to trust. It exists after the first seal. A service with a certificate of its operator has none.',
    },
    getSealCertificates: {
      text: 'Returns the certificates (PEM) of all seals, the newest first. Earlier ones stay, because documents are verified for years.',
    },
    getSealRevocations: {
      text: 'Returns the revocation list (RFC 5280, DER) of the seal authority. Certificates name this address.',
    },
  },
  members: {
    'JsonWebKeySet.keys': 'The active key, the next key, and retired keys',
    kty: 'The family of the key (RFC 7517 §4.1)',
    kid: 'The identifier of the key, which signatures name',
    'keys.alg': 'The algorithm that it signs with',
    use: 'Always `sig`: the key signs',
    crv: 'The curve of an elliptic key',
    n: 'The modulus of an RSA key',
    e: 'The exponent of an RSA key',
    x: 'The x coordinate of an elliptic key, or the key itself for Ed25519',
    y: 'The y coordinate of an elliptic key',
  },
};
