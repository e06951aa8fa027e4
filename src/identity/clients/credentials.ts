import { clientProblems } from './problems.ts';

/** What a client shows of itself: not proven yet. */
export type ShownCredentials = { clientId: string; secret: string };

/** The parameters of a form, each once; those without a value count as left out (RFC 6749 §3.2). */
export type Form = Readonly<Record<string, string>>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads `application/x-www-form-urlencoded`. A parameter that comes twice is refused. */
export function parseForm(bytes: Buffer): Form {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('The body is not UTF-8.');
  }
  const seen = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    // RFC 8707 section 2 lets `resource` come more than once; a token is for one.
    if (name === 'resource' && seen.get(name) === value) continue;
    if (name === 'resource' && seen.has(name))
      throw clientProblems.invalid_target('A token is for one resource. Request a token for each resource.');
    if (seen.has(name)) throw malformed('A parameter comes more than once. Send each once.');
    seen.set(name, value);
  }
  return Object.fromEntries([...seen].filter(([, value]) => value !== ''));
}

/**
 * How a client authenticates (RFC 6749 §2.3.1): HTTP Basic, or `client_id` and `client_secret` in the body; one of the
 * two, and never in the address, which ends up in logs.
 */
export function shownCredentials(request: { authorization: string | undefined; query: object; form: Form }): ShownCredentials {
  const { authorization, query, form } = request;
  if ('client_secret' in query || 'client_id' in query)
    throw malformed('Credentials do not belong into the address, where logs keep them. Send them by HTTP Basic or in the body.');
  const { client_id: clientId, client_secret: secret } = form;
  if (authorization === undefined) {
    if (clientId === undefined || secret === undefined)
      throw notAuthenticated('Authenticate by HTTP Basic, or send client_id and client_secret in the body.');
    return { clientId, secret };
  }
  const shown = basicCredentials(authorization);
  if (!shown) throw notAuthenticated('The Authorization header is not HTTP Basic with a client identifier and its secret.');
  if (secret !== undefined) throw malformed('The client authenticates in two ways at once. Use HTTP Basic or client_secret, not both.');
  if (clientId !== undefined && clientId !== shown.clientId)
    throw malformed('client_id names another client than the Authorization header. Leave it out.');
  return shown;
}

function basicCredentials(authorization: string): ShownCredentials | undefined {
  const encoded = /^Basic +([\w+/-]+=*)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 1) return undefined;
  try {
    // Both parts are encoded as in a form before they are joined (RFC 6749 §2.3.1, appendix B).
    const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    return { clientId: decoded(pair.slice(0, colon)), secret: decoded(pair.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

export function malformed(why: string) {
  return clientProblems.invalid_request(why);
}

/** 401 with the challenge that RFC 6749 §5.2 asks for. */
export function notAuthenticated(why: string) {
  return clientProblems.invalid_client(why, { headers: { 'www-authenticate': 'Basic realm="oauth", charset="UTF-8"' } });
}
