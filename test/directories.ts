import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import type { CallOptions, Chancery, TestResponse, TestTeam } from './harness.ts';

export const directoriesPath = '/api/v1/team/directories';
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** A team with a directory, its token, and a verified domain. */
export type DirectoryWorld = TestTeam & {
  directory: any;
  scimToken: string;
  domain: string;
  scim(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** Creates a user over SCIM. The address is in the verified domain unless `userName` says otherwise. */
  provision(members?: Record<string, unknown>): Promise<any>;
  group(displayName: string, members?: string[]): Promise<any>;
};

let numbers = 0;

/** Marks a domain of a team as verified, with a connection for it. Returns the connection. */
export async function verifyDomain(chancery: Chancery, team: TestTeam, domain: string): Promise<string> {
  const body = { issuer: 'https://login.example.com', clientId: 'chancery', clientSecret: 'a secret', domains: [domain] };
  const made = await chancery.call('POST', '/api/v1/team/sso', { token: team.owner.token, body });
  assert.equal(made.status, 201, made.text);
  await chancery.pool.query('UPDATE sso_domain SET verified_at = now(), checked_at = now() WHERE team_id = $1 AND domain = $2', [
    team.id,
    domain,
  ]);
  return made.body.id;
}

export async function withDirectory(chancery: Chancery, settings: Record<string, unknown> = {}): Promise<DirectoryWorld> {
  const team = await chancery.team();
  const domain = `directory${(numbers += 1)}-${randomUUIDv7().slice(-8)}.example`;
  await verifyDomain(chancery, team, domain);
  const made = await chancery.call('POST', directoriesPath, {
    token: team.owner.token,
    body: { name: 'Entra ID', kind: 'entra', ...settings },
  });
  assert.equal(made.status, 201, made.text);
  const issued = await chancery.call('POST', `${directoriesPath}/${made.body.id}/tokens`, { token: team.owner.token, body: {} });
  assert.equal(issued.status, 201, issued.text);
  const scimToken: string = issued.body.token;
  const scim: DirectoryWorld['scim'] = (method, path, body, headers = {}) => scimCall(chancery, scimToken, method, path, body, headers);
  return {
    ...team,
    directory: made.body,
    scimToken,
    domain,
    scim,
    async provision(members = {}) {
      const userName = `user${(numbers += 1)}.${randomUUIDv7().slice(-6)}@${domain}`;
      const answer = await scim('POST', '/Users', {
        schemas: [userSchema],
        userName,
        name: { givenName: 'Nora', familyName: 'Quist' },
        active: true,
        ...members,
      });
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
    async group(displayName, members = []) {
      const answer = await scim('POST', '/Groups', { displayName, members: members.map((value) => ({ value })) });
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
  };
}

/** Sends a request to the SCIM service. */
export function scimCall(
  chancery: Chancery,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const options: CallOptions = {
    token,
    unchecked: true,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }), ...headers },
  };
  return chancery.call(method, `/scim/v2${path}`, body === undefined ? options : { ...options, body });
}
