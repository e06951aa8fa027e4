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
      'The public keys that access tokens are signed with (RFC 7517), for services that verify tokens by themselves. The key that signs next is always among them, so that a rotation breaks no cache. Keep the set for as long as `Cache-Control` says, and read it again at a `kid` that is unknown.',
      elliptic,
    ),
    getJournalKeys: set(
      'The public keys that the checkpoints of the audit journal are signed with. Those of before stay in the set after a rotation, since older checkpoints and exports are verified with them.',
      edwards,
    ),
    getWebhookKeys: set(
      'The public keys of the Ed25519 signatures that deliveries carry where an endpoint’s settings ask for them: a receiver that verifies by these shares no secret with the service.',
      edwards,
    ),
    getEvidenceKeys: set(
      'The public keys of the evidence of signatures: each act of somebody who was asked to sign is a JWS (RFC 7515) that names one of them. All that ever signed stay in the set, since evidence is looked at years later.',
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
    'JsonWebKeySet.keys': 'One for each key that signs, signed or is about to',
    kty: 'The family of the key (RFC 7517 §4.1)',
    kid: 'The identifier of the key, which signatures name',
    'keys.alg': 'The algorithm that it signs with',
    use: 'Always `sig`: it signs',
    crv: 'The curve of an elliptic key',
    n: 'The modulus of an RSA key',
    e: 'The exponent of an RSA key',
    x: 'The x coordinate of an elliptic key, or the key itself for Ed25519',
    y: 'The y coordinate of an elliptic key',
  },
};
