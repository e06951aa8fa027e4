import assert from 'node:assert/strict';
import type { TestResponse, CallOptions, Chancery, User } from '../../harness.ts';
import { authPath, goodPassword, mailsTo } from '../../people.ts';
import { staffToken } from '../../staff.ts';

export type ActWorld = {
  chancery: Chancery;
  owner: User;
  member: User;
  /** The token of the first staff member. */
  staffToken: string;
  /** Sends a request as the owner of the team. */
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<TestResponse>;
  /** Sends a request that prepares the action and must succeed. Returns the body. */
  made(method: string, path: string, body?: unknown, options?: CallOptions): Promise<any>;
};

/** Creates the world of the actions: the team of `owner`, another member and the first staff member. */
export async function openActWorld(chancery: Chancery, owner: User): Promise<ActWorld> {
  const send: ActWorld['send'] = (method, path, body, options = {}) =>
    chancery.call(method, path, { token: owner.token, ...(body === undefined ? {} : { body }), ...options });
  return {
    chancery,
    owner,
    member: await chancery.user(owner.team),
    send,
    staffToken: await staffToken(chancery),
    async made(method, path, body, options) {
      const answer = await send(method, path, body, options);
      assert.ok(answer.status < 300, `${method} ${path} returned ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  };
}

/** The types of the journal entries of an operation. `prepare` creates the needed resources and returns the call. */
export type ActEntry = { entries: string[]; prepare(world: ActWorld): Promise<() => Promise<TestResponse>> };
export type Acts = Record<string, ActEntry>;

/** An operation on a resource that `make` creates. */
export const on = (
  make: (world: ActWorld) => Promise<any>,
  method: string,
  path: (thing: any) => string,
  body?: unknown,
  ...entries: string[]
): ActEntry => ({
  entries,
  async prepare(world) {
    const thing = await make(world);
    return () => world.send(method, path(thing), typeof body === 'function' ? body(world, thing) : body);
  },
});

export const alone = (method: string, path: string, body: unknown, ...entries: string[]): ActEntry =>
  on(
    async () => undefined,
    method,
    () => path,
    body,
    ...entries,
  );

/** An operation with a separate token: `make` returns the token and an optional body. */
export const by = (
  make: (world: ActWorld) => Promise<{ token: string; path?: string; body?: unknown }>,
  method: string,
  path: string,
  ...entries: string[]
): ActEntry => ({
  entries,
  async prepare(world) {
    const made = await make(world);
    return () => world.send(method, made.path ?? path, made.body, { token: made.token });
  },
});

/** Returns the match of `what` in the newest mail to an address. */
export async function mailed({ chancery }: ActWorld, email: string, what: RegExp): Promise<string> {
  const [mail] = await mailsTo(chancery, email);
  const found = what.exec(`${mail?.subject}\n${mail?.text}`)?.[1];
  assert.ok(found, `the newest mail to ${email} has no ${what}: ${mail?.subject}`);
  return found;
}

let people = 0;
export const newName = (what: string) => `${what}${(people += 1)}`;
export const newAddress = () => `${newName('walker')}@example.org`;

export const invite = (world: ActWorld, email: string) => world.made('POST', '/api/v1/team/invitations', { email, role: 'member' });

/** Registers an unconfirmed address. */
export async function pending(world: ActWorld): Promise<string> {
  const email = newAddress();
  await world.made('POST', `${authPath}/register`, { email, firstName: 'Ada', lastName: 'Walker', password: goodPassword });
  return email;
}
