import { insertSeat } from '../memberships.ts';
import type { TestResponse, CallOptions, Chancery, TestTeam, User } from '../harness.ts';

/**
 * The kinds of caller in the access table. `creator` creates the resource of a row. The other callers have the shares and tasks that
 * are described here; `member` and `viewer` have no relation to the resource.
 */
export const callers = {
  owner: 'the owner of the team',
  admin: 'an administrator',
  creator: 'the member who created the resource',
  writer: 'a member with a write share',
  reader: 'a member with a read share',
  assignee: 'a member with a task about the resource',
  member: 'a member without a relation to the resource',
  clerk: 'a viewer with a write share and a task about the resource',
  viewer: 'a viewer without a relation to the resource',
  client: 'an API client with every scope',
  guest: 'a guest with a write share',
  auditor: 'an auditor with a read grant, whose seat allows no exports',
} as const;
export type Caller = keyof typeof callers;
export const callerNames = Object.keys(callers) as Caller[];

export type AccessWorld = {
  chancery: Chancery;
  team: TestTeam;
  people: Record<Exclude<Caller, 'client'>, User>;
  tokens: Record<Caller, string>;
  /** Returns the token of a client with all scopes except this one. */
  unscoped(scope: string | undefined): Promise<string>;
  /** Calls an operation as this caller and returns the body. Throws unless the status is below 300. */
  made(by: Caller, method: string, path: string, body?: unknown): Promise<any>;
  send(token: string | undefined, method: string, path: string, body?: unknown): Promise<TestResponse>;
};

/** Creates a team with one person of each kind and an API client. */
export async function openWorld(chancery: Chancery): Promise<AccessWorld> {
  const team = await chancery.team();
  const person = (role: 'admin' | 'member' | 'viewer' | 'guest' | 'auditor', firstName: string) => chancery.user(team, { role, firstName });
  const people: AccessWorld['people'] = {
    owner: team.owner,
    admin: await person('admin', 'Administrator'),
    creator: await person('member', 'Creator'),
    writer: await person('member', 'Writer'),
    reader: await person('member', 'Reader'),
    assignee: await person('member', 'Assignee'),
    member: await person('member', 'Uninvolved'),
    clerk: await person('viewer', 'Clerk'),
    viewer: await person('viewer', 'Viewer'),
    guest: await person('guest', 'Guest'),
    auditor: await person('auditor', 'Auditor'),
  };
  await insertSeat(chancery.pool, team.id, people.auditor.id);
  const client = await chancery.client(team.owner);
  const tokens = { ...tokensOf(people), client: client.token };
  const unscoped = new Map<string, string>();

  const send: AccessWorld['send'] = (token, method, path, body) => {
    const options: CallOptions = { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) };
    return chancery.call(method, path, options);
  };
  return {
    chancery,
    team,
    people,
    tokens,
    send,
    async unscoped(scope = '') {
      const known = unscoped.get(scope);
      if (known !== undefined) return known;
      const made = await chancery.client(
        team.owner,
        client.scopes.filter((granted) => granted !== scope),
      );
      unscoped.set(scope, made.token);
      return made.token;
    },
    async made(by, method, path, body) {
      const answer = await send(tokens[by], method, path, body);
      if (answer.status >= 300) throw new Error(`${by}: ${method} ${path} returned ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  };
}

function tokensOf(people: AccessWorld['people']): Record<Exclude<Caller, 'client'>, string> {
  return Object.fromEntries(Object.entries(people).map(([name, { token }]) => [name, token])) as Record<Exclude<Caller, 'client'>, string>;
}
