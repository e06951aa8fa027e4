import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type ClientMetadata, Provider } from 'oidc-provider';

async function listening(
  listener: RequestListener,
  { connected = () => {}, held = true } = {},
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(listener).on('connection', connected);
  if (!held) server.unref();
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

/** An OpenID Provider as the public library makes one, with a page to sign in at; any password is right. */
export type IdentityProvider = {
  issuer: string;
  /** What is known of each person, by the login they type. */
  people: Map<string, Record<string, unknown>>;
  /** Makes a client of it known. */
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
      cookies: { keys: ['a key of this test alone'] },
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

/** A provider that answers what it is told to: an attacker's, or one that is broken. */
export type Forger = {
  issuer: string;
  /** The claims of the next ID token beside `iss`, `aud`, `iat`, `exp`, which may be overwritten. */
  claims: JWTPayload;
  /** The same for one code, instead. */
  byCode: Map<string, JWTPayload>;
  /** Signs the ID token with a key that is not published. */
  forge: boolean;
  /** Alters the token, once signed. */
  alter: (token: string) => string;
  /** What its endpoint for that says of a person, where its metadata name one: `/userinfo`. */
  userinfo: Record<string, unknown>;
  /** Members over those of its metadata. */
  metadata: Record<string, unknown>;
  /** Members over those of the key that it publishes. */
  key: Record<string, unknown>;
  /** Signs with a new key from now on, and publishes that alone. */
  rotate(): Promise<void>;
  /** How often its keys were fetched. */
  keyFetches: number;
  /** What happens while its token endpoint is asked, which waits for it. */
  meanwhile: () => Promise<unknown>;
  /** The bodies its token endpoint got. */
  exchanged: URLSearchParams[];
  clientId: string;
  /** How many connections were made to it. */
  connections: number;
  close(): Promise<void>;
};

/** `held`: whether it keeps its process alive. */
export async function startForger({ clientId = 'chancery', held = true } = {}): Promise<Forger> {
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
    { connected: () => void (forger.connections += 1), held },
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
    keyFetches: 0,
    exchanged: [],
    clientId,
    connections: 0,
    close,
  };
  return forger;
}
