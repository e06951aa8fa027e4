import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type ClientMetadata, Provider } from 'oidc-provider';

async function listening(
  listener: RequestListener,
  { connected = () => {}, keepsAlive = true } = {},
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(listener).on('connection', connected);
  if (!keepsAlive) server.unref();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An OpenID Provider of the public library, with a sign-in page that accepts any password. */
export type IdentityProvider = {
  issuer: string;
  /** The claims of each person, by login. */
  people: Map<string, Record<string, unknown>>;
  /** Registers a client. */
  register(client: { clientId: string; clientSecret: string; redirectUri: string }): void;
  close(): Promise<void>;
};

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const clients: ClientMetadata[] = [];
  const people = new Map<string, Record<string, unknown>>();
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'signing', use: 'sig', alg: 'RS256' };
  const { origin, close } = await listening((request, response) => handle(request, response));

  function open(): void {
    const provider = new Provider(origin, {
      clients,
      jwks: { keys: [key] },
      cookies: { keys: ['a key that only this test uses'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => Promise.resolve({ sub, ...people.get(sub) }) }),
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 600, Interaction: 600, Session: 600 },
    });
    const callback = provider.callback();
    handle = (request, response) => void callback(request, response);
  }
  open();
  return {
    issuer: origin,
    people,
    register({ clientId, clientSecret, redirectUri }) {
      clients.push({ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] });
      open();
    },
    close,
  };
}

/** A provider whose responses the test controls, such as the provider of an attacker or a broken one. */
export type Forger = {
  issuer: string;
  /** The claims of the next ID token. They override `iss`, `aud`, `iat` and `exp`. */
  claims: JWTPayload;
  /** The claims for one code, in place of `claims`. */
  byCode: Map<string, JWTPayload>;
  /** Signs the ID token with an unpublished key. */
  forge: boolean;
  /** Changes the signed token. */
  alter: (token: string) => string;
  /** The response of `/userinfo`, if the metadata name that endpoint. */
  userinfo: Record<string, unknown>;
  /** Members that override the metadata. */
  metadata: Record<string, unknown>;
  /** Members that override the published key. */
  key: Record<string, unknown>;
  /** Signs with a new key from now on and publishes only that key. */
  rotate(): Promise<void>;
  /** Signs a token with the published key. */
  sign(claims: JWTPayload, typ: string): Promise<string>;
  /** Counts the requests for its keys. */
  keyFetches: number;
  /** Runs during each token request, which waits for it. */
  meanwhile: () => Promise<unknown>;
  /** The bodies of the token requests. */
  exchanged: URLSearchParams[];
  clientId: string;
  /** Counts the connections to the provider. */
  connections: number;
  close(): Promise<void>;
};

/** `keepsAlive`: whether it keeps its process alive. */
export async function startForger({ clientId = 'chancery', keepsAlive = true } = {}): Promise<Forger> {
  const hidden = await generateKeyPair('RS256');
  let rotations = 0;
  const newKey = async () => {
    const pair = await generateKeyPair('RS256');
    const kid = `key ${(rotations += 1)}`;
    return { ...pair, kid, jwk: { ...(await exportJWK(pair.publicKey)), kid, use: 'sig', alg: 'RS256' } };
  };
  let published = await newKey();

  async function idToken(code: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const payload = { iss: forger.issuer, aud: forger.clientId, iat: now, exp: now + 300, ...(forger.byCode.get(code) ?? forger.claims) };
    const key = forger.forge ? hidden.privateKey : published.privateKey;
    return forger.alter(await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: published.kid }).sign(key));
  }

  const { origin, close } = await listening(
    (request, response) => {
      const answer = (body: unknown) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        switch (request.url) {
          case '/.well-known/openid-configuration':
            return void answer({
              issuer: origin,
              authorization_endpoint: `${origin}/authorize`,
              token_endpoint: `${origin}/token`,
              jwks_uri: `${origin}/jwks`,
              response_types_supported: ['code'],
              subject_types_supported: ['public'],
              id_token_signing_alg_values_supported: ['RS256'],
              ...forger.metadata,
            });
          case '/jwks':
            forger.keyFetches += 1;
            return void answer({ keys: [{ ...published.jwk, ...forger.key }] });
          case '/token':
            forger.exchanged.push(new URLSearchParams(Buffer.concat(chunks).toString()));
            return void forger
              .meanwhile()
              .then(() => idToken(forger.exchanged.at(-1)?.get('code') ?? ''))
              .then((token) => answer({ access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token }));
          case '/userinfo':
            return void answer(forger.userinfo);
          default:
            return void response.writeHead(404).end();
        }
      });
    },
    { connected: () => void (forger.connections += 1), keepsAlive },
  );
  const forger: Forger = {
    issuer: origin,
    claims: {},
    byCode: new Map(),
    forge: false,
    alter: (token) => token,
    meanwhile: async () => undefined,
    userinfo: {},
    metadata: {},
    key: {},
    async rotate() {
      published = await newKey();
    },
    sign: (claims, typ) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: published.kid, typ }).sign(published.privateKey),
    keyFetches: 0,
    exchanged: [],
    clientId,
    connections: 0,
    close,
  };
  return forger;
}
