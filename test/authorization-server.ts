import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ReceivedRequest, startJsonServer } from './json-server.ts';

/* A third-party authorization server, and the metadata with which an MCP server refers to it. */

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>;

export async function startAuthorizationServer(options: { keepsProcess?: boolean } = {}) {
  const codes = new Map<string, { challenge: string; redirect: string; client: string; resource: string }>();
  const it = {
    url: '',
    requests: [] as ReceivedRequest[],
    /** The valid access token. */
    access: '',
    refresh: '',
    expiresIn: 3_600,
    /** Counts the uses of a refresh token. */
    renewed: 0,
    /** Members to add to its metadata or to replace. */
    metadata: {} as object,
    /** Replaces the response to a request. `undefined` keeps the normal response. */
    instead: undefined as ((request: ReceivedRequest, response: ServerResponse) => unknown) | undefined,
    /** Returns the query that the browser of a user brings back after the user allowed access at this address. */
    allow(address: string): Record<string, string> {
      const query = new URL(address).searchParams;
      const at = (name: string) => query.get(name) ?? '';
      const code = randomUUID();
      codes.set(code, { challenge: at('code_challenge'), redirect: at('redirect_uri'), client: at('client_id'), resource: at('resource') });
      return { state: at('state'), code, iss: it.url };
    },
    close: async () => undefined as unknown,
  };
  const tokens = () => {
    it.access = `access-${randomUUID()}`;
    it.refresh = `refresh-${randomUUID()}`;
    return { access_token: it.access, token_type: 'Bearer', expires_in: it.expiresIn, refresh_token: it.refresh };
  };
  const refuse = (response: ServerResponse, error: string) => {
    response.statusCode = 400;
    return { error };
  };
  const server = await startJsonServer((received, response) => {
    const instead = it.instead?.(received, response);
    if (instead !== undefined) return instead === 'sent' ? undefined : instead;
    if (received.path === '/.well-known/oauth-authorization-server')
      return {
        issuer: it.url,
        authorization_endpoint: `${it.url}/authorize`,
        token_endpoint: `${it.url}/token`,
        registration_endpoint: `${it.url}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
        ...it.metadata,
      };
    // It can also act as an MCP server that requires sign-in.
    if (received.path === '/' && received.method === 'POST') {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return undefined;
    }
    if (received.path === '/register') return { ...JSON.parse(received.body), client_id: 'registered' };
    if (received.path !== '/token') {
      response.statusCode = 404;
      return {};
    }
    const form = new URLSearchParams(received.body);
    if (form.get('grant_type') === 'refresh_token') {
      if (form.get('refresh_token') !== it.refresh) return refuse(response, 'invalid_grant');
      it.renewed += 1;
      return tokens();
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const proven = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const right =
      code?.challenge === proven &&
      code.redirect === form.get('redirect_uri') &&
      code.client === form.get('client_id') &&
      code.resource === form.get('resource');
    return right ? tokens() : refuse(response, 'invalid_grant');
  }, options);
  it.url = server.url;
  it.requests = server.requests;
  it.close = () => server.close();
  return it;
}
