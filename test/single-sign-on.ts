import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { type Chancery, type HarnessOptions, startChancery, type TestResponse, type TestTeam } from './harness.ts';
import type { Forger } from './identity-provider.ts';
import { authPath, cookieOf } from './people.ts';

const manage = '/api/v1/team/sso';

/** A service whose DNS the test controls. */
export type SsoService = { chancery: Chancery; dns: DnsServer; texts: Map<string, string[]>; stop(): Promise<void> };

export async function startForSso({ settings, ...options }: Pick<HarnessOptions, 'clock' | 'settings'> = {}): Promise<SsoService> {
  const dns = await startDnsServer();
  /** The TXT records of the DNS, by name. */
  const texts = new Map<string, string[]>();
  dns.answer = ({ name, type }) => ({
    addresses: type === 'A' ? ['127.0.0.1'] : type === 'AAAA' ? ['::1'] : [],
    texts: texts.get(name) ?? [],
  });
  const chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', SSO_DNS_SERVERS: dns.address, ...settings }, ...options });
  return {
    chancery,
    dns,
    texts,
    async stop() {
      await chancery.stop();
      await dns.close();
    },
  };
}

export type SsoTeam = TestTeam & { domain: string; connection: any };
let numbers = 0;

const done = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

/** Creates a team with a connection to a provider and a verified domain. */
export async function connectedTeam({ chancery, texts }: SsoService, body: object, given?: TestTeam): Promise<SsoTeam> {
  const team = given ?? (await chancery.team());
  const domain = `sso${(numbers += 1)}.example`;
  const made = done(await chancery.call('POST', manage, { token: team.owner.token, body: { domains: [domain], ...body } }));
  for (const { record } of made.domains) texts.set(record.name, [record.value]);
  const connection = done(await chancery.call('POST', `${manage}/${made.id}/verify-domains`, { token: team.owner.token }));
  return { ...team, domain, connection };
}

export const oidcConnection = ({ issuer }: Forger) => ({ issuer, clientId: 'chancery', clientSecret: 'a secret of the client' });

/** Signs in at a forger with the given claims, and returns the response to the browser. */
export async function signInAtForger(
  { chancery }: SsoService,
  { connection }: SsoTeam,
  forger: Forger,
  claims: object,
): Promise<TestResponse> {
  const begun = await chancery.call('GET', `${authPath}/sso/start?connectionId=${connection.id}`);
  const { searchParams } = new URL(begun.headers.get('location') ?? '');
  const state = searchParams.get('state') ?? '';
  forger.claims = { nonce: searchParams.get('nonce') ?? '', email_verified: true, ...claims };
  const callback = `${new URL(connection.redirectUri).pathname}?${new URLSearchParams({ code: 'code', state }).toString()}`;
  return chancery.call('GET', callback, { headers: { cookie: `sso_state=${cookieOf(begun, 'sso_state')}` } });
}

export type SsoSession = { sub: string; sid: string; team: string; accessToken: string; refreshToken: string };

/** Returns the session of a sign-in. */
export async function ssoSession({ chancery }: SsoService, answer: TestResponse): Promise<SsoSession> {
  assert.equal(answer.status, 302, answer.text);
  assert.equal(new URL(answer.headers.get('location') ?? '').hash, '');
  const renewed = await chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken: cookieOf(answer, 'refresh_token') } });
  const { accessToken } = done(renewed);
  return {
    ...(decodeJwt(accessToken) as { sub: string; sid: string; team: string }),
    accessToken,
    refreshToken: cookieOf(renewed, 'refresh_token'),
  };
}
