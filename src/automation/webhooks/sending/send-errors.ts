/** Thrown if no address of the target is allowed. */
export class BlockedAddress extends Error {
  readonly code = 'EBLOCKED';
  constructor() {
    super('the target has no address that webhooks may reach');
  }
}

/** Thrown if a response exceeds the maximum, counted in bytes on the connection. */
export class AnswerTooLong extends Error {
  readonly code = 'EANSWERTOOLONG';
  constructor() {
    super('the response is larger than the maximum');
  }
}

/** Maximum interim responses (1xx) before the final one. */
export const maxInterim = 10;

/** Thrown if the receiver sends too many interim responses (1xx). */
export class InterimAnswers extends Error {
  readonly code = 'EINTERIM';
  constructor() {
    super(`the receiver sent more than ${maxInterim} interim responses (1xx)`);
  }
}

const codes = new Map([
  ['EBLOCKED', 'blocked_address'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['ENOTFOUND', 'dns_error'],
  ['EAI_AGAIN', 'dns_error'],
  ['EAI_FAIL', 'dns_error'],
  ['ENODATA', 'dns_error'],
  ['ECONNREFUSED', 'connection_refused'],
  ['EHOSTUNREACH', 'connection_refused'],
  ['ENETUNREACH', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['UND_ERR_SOCKET', 'connection_reset'],
  ['UND_ERR_HEADERS_OVERFLOW', 'response_too_large'],
  ['EANSWERTOOLONG', 'response_too_large'],
  ['EINTERIM', 'invalid_response'],
]);
const tls = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|CRL_)/;

const otherAuthority = 'the certificate is from an untrusted authority, or the receiver does not send its intermediate certificates';
const noTls = 'the receiver does not use TLS on this port';
const oldTls = 'the receiver does not support TLS 1.2 or newer';
/** Texts about TLS errors for the owner of the receiver. */
const tlsErrors = new Map([
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for other names than the one in the URL'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed, not signed by an authority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', otherAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', otherAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', otherAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', otherAuthority],
  ['ERR_SSL_WRONG_VERSION_NUMBER', noTls],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', noTls],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', oldTls],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', oldTls],
]);

/** Returns the stable code of an error, and a text without internal addresses. */
export function errorCode(error: unknown): { error: string; errorDetail: string } {
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  if (!(cause instanceof Error)) return { error: 'connection_reset', errorDetail: 'the connection ended' };
  if (cause.name === 'TimeoutError') return { error: 'timeout', errorDetail: 'there was no complete response in time' };
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (tls.test(code)) return { error: 'tls_error', errorDetail: `the TLS connection failed: ${tlsError(code)}` };
  const known = codes.get(code);
  if (known === 'blocked_address' || known === 'invalid_response') return { error: known, errorDetail: cause.message };
  if (known !== undefined) return { error: known, errorDetail: `the connection failed: ${code}` };
  // The response was not valid HTTP.
  return cause.name === 'HTTPParserError'
    ? { error: 'invalid_response', errorDetail: 'the response of the receiver is not valid HTTP' }
    : { error: 'connection_reset', errorDetail: code === '' ? 'the connection ended' : `the connection failed: ${code}` };
}

function tlsError(code: string): string {
  const known = tlsErrors.get(code);
  return known === undefined ? code : `${known} (${code})`;
}
