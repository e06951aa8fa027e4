import { clientProblems } from './problems.ts';

/** The credentials of a request, not verified yet. */
export type ShownCredentials = { clientId: string; secret: string };

/** The parameters of a form without repetitions. Empty values count as omitted (RFC 6749 §3.2). */
export type Form = Readonly<Record<string, string>>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses `application/x-www-form-urlencoded`. Throws if a parameter is repeated. */
export function parseForm(bytes: Buffer): Form {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
  const seen = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    // RFC 8707 section 2 lets `resource` be repeated, but a token has one resource.
    if (name === 'resource' && seen.get(name) === value) continue;
    if (name === 'resource' && seen.has(name))
      throw clientProblems.invalid_target('A token is valid for one resource. Request a token for each resource.');
    if (seen.has(name)) throw malformed('A parameter is repeated. Send each parameter once.');
    seen.set(name, value);
  }
  return Object.fromEntries([...seen].filter(([, value]) => value !== ''));
}

/**
 * Reads the credentials of a client (RFC 6749 §2.3.1): HTTP Basic, or `client_id` and `client_secret`
 * in the body. It rejects both together, and credentials in the URL, which logs store.
 */
export function shownCredentials(request: { authorization: string | undefined; query: object; form: Form }): ShownCredentials {
  const { authorization, query, form } = request;
  if ('client_secret' in query || 'client_id' in query)
    throw malformed('The URL contains credentials, which logs store. Send them by HTTP Basic or in the body.');
  const { client_id: clientId, client_secret: secret } = form;
  if (authorization === undefined) {
    if (clientId === undefined || secret === undefined)
      throw notAuthenticated('Authenticate by HTTP Basic, or send client_id and client_secret in the body.');
    return { clientId, secret };
  }
  const shown = basicCredentials(authorization);
  if (!shown) throw notAuthenticated('The Authorization header is not HTTP Basic with a client identifier and secret.');
  if (secret !== undefined)
    throw malformed('The request has two kinds of client authentication. Use HTTP Basic or client_secret, not both.');
  if (clientId !== undefined && clientId !== shown.clientId)
    throw malformed('client_id differs from the client of the Authorization header. Omit it.');
  return shown;
}

function basicCredentials(authorization: string): ShownCredentials | undefined {
  const encoded = /^Basic +([\w+/-]+=*)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 1) return undefined;
  try {
    // Both parts are form-encoded before they are joined (RFC 6749 §2.3.1, appendix B).
    const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    return { clientId: decoded(pair.slice(0, colon)), secret: decoded(pair.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

export function malformed(why: string) {
  return clientProblems.invalid_request(why);
}

/** The 401 error with the challenge that RFC 6749 §5.2 requires. */
export function notAuthenticated(why: string) {
  return clientProblems.invalid_client(why, { headers: { 'www-authenticate': 'Basic realm="oauth", charset="UTF-8"' } });
}
