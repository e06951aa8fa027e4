/** No address of the target may be reached. */
export class BlockedAddress extends Error {
  readonly code = 'EBLOCKED';
  constructor() {
    super('the target has no address that webhooks may reach');
  }
}

/** One answer is longer than any may be, counted as it comes over the line. */
export class AnswerTooLong extends Error {
  readonly code = 'EANSWERTOOLONG';
  constructor() {
    super('the response is larger than the maximum');
  }
}

/** Interim answers (1xx) that may come before the one that counts. */
export const maxInterim = 10;

/** The receiver sends interim answers (1xx) instead of one that counts. */
export class InterimAnswers extends Error {
  readonly code = 'EINTERIM';
  constructor() {
    super(`the receiver sent more than ${maxInterim} interim answers (1xx)`);
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

const otherAuthority = 'the certificate comes from an authority that is not trusted, or the certificates in between are not sent along';
const noTls = 'the receiver does not speak TLS at this port';
const oldTls = 'the receiver speaks no version of TLS from 1.2 on';
/** What is wrong at the receiver, for its owner. */
const tlsFaults = new Map([
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for other names than that of the URL'],
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

/** The stable code of what went wrong, and a sentence that names no address of the inside. */
export function errorCode(error: unknown): { error: string; errorDetail: string } {
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  if (!(cause instanceof Error)) return { error: 'connection_reset', errorDetail: 'the connection ended' };
  if (cause.name === 'TimeoutError') return { error: 'timeout', errorDetail: 'there was no complete answer in time' };
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (tls.test(code)) return { error: 'tls_error', errorDetail: `the TLS connection failed: ${tlsFault(code)}` };
  const known = codes.get(code);
  if (known === 'blocked_address' || known === 'invalid_response') return { error: known, errorDetail: cause.message };
  if (known !== undefined) return { error: known, errorDetail: `the connection failed: ${code}` };
  // Something answered, but not so that it could be read.
  return cause.name === 'HTTPParserError'
    ? { error: 'invalid_response', errorDetail: 'the receiver did not answer in HTTP' }
    : { error: 'connection_reset', errorDetail: code === '' ? 'the connection ended' : `the connection failed: ${code}` };
}

function tlsFault(code: string): string {
  const known = tlsFaults.get(code);
  return known === undefined ? code : `${known} (${code})`;
}
