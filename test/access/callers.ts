import type { TestResponse, CallOptions, Chancery, TestTeam, User } from '../harness.ts';

/**
 * The kinds of caller that the access table tells apart. The thing of a row is made by `maker`, and shared and given as the
 * others say; `member` and `viewer` have nothing to do with it.
 */
export const callers = {
  owner: 'the owner of the team',
  admin: 'an administrator',
  maker: 'the member who made it',
  writer: 'a member who holds a share to write',
  reader: 'a member who holds a share to read',
  holder: 'a member who holds a task of it',
  member: 'a member who has nothing to do with it',
  guest: 'a viewer who holds a share to write, and a task of it',
  viewer: 'a viewer who has nothing to do with it',
  client: 'an API client with every scope',
} as const;
export type Caller = keyof typeof callers;
export const callerNames = Object.keys(callers) as Caller[];

export type AccessWorld = {
  chancery: Chancery;
  team: TestTeam;
  people: Record<Exclude<Caller, 'client'>, User>;
  tokens: Record<Caller, string>;
  /** A client with every scope but the one that a row asks for gets its token here. */
  unscoped(scope: string | undefined): Promise<string>;
  /** Calls as somebody; what must succeed throws otherwise, and gives the body. */
  made(by: Caller, method: string, path: string, body?: unknown): Promise<any>;
  send(token: string | undefined, method: string, path: string, body?: unknown): Promise<TestResponse>;
};

/** A team with one person of each kind, and its API client. */
export async function openWorld(chancery: Chancery): Promise<AccessWorld> {
  const team = await chancery.team();
  const person = (role: 'admin' | 'member' | 'viewer', firstName: string) => chancery.user(team, { role, firstName });
  const people: AccessWorld['people'] = {
    owner: team.owner,
    admin: await person('admin', 'Administrator'),
    maker: await person('member', 'Maker'),
    writer: await person('member', 'Writer'),
    reader: await person('member', 'Reader'),
    holder: await person('member', 'Holder'),
    member: await person('member', 'Uninvolved'),
    guest: await person('viewer', 'Guest'),
    viewer: await person('viewer', 'Viewer'),
  };
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
      if (answer.status >= 300) throw new Error(`${by}: ${method} ${path} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  };
}

function tokensOf(people: AccessWorld['people']): Record<Exclude<Caller, 'client'>, string> {
  return Object.fromEntries(Object.entries(people).map(([name, { token }]) => [name, token])) as Record<Exclude<Caller, 'client'>, string>;
}
