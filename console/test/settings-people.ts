import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Chancery } from '../../test/harness.ts';
import { authPath, cookieOf, mailsTo, type Registered, registered, signIn } from '../../test/people.ts';

type As = (person: Registered, path: string, options?: BrowserContextOptions) => Promise<Page>;

/** The people of tests of the settings. */
export const settingsPeople = (chancery: () => Chancery, as: As) => ({
  newOwner: (): Promise<Registered> => registered(chancery()),
  get: async (person: Registered, path: string): Promise<any> => (await chancery().call('GET', path, { token: person.token })).body,
  /** Adds a person with a name to the team of another. `terms` are those of a guest. */
  async joined(owner: Registered, firstName: string, lastName: string, role = 'member', terms: object = {}): Promise<Registered> {
    const person = await registered(chancery());
    const named = await chancery().call('PUT', `${authPath}/profile`, { token: person.token, body: { firstName, lastName } });
    assert.equal(named.status, 200, named.text);
    const body = { email: person.email, role, ...terms };
    const invited = await chancery().call('POST', '/api/v1/team/invitations', { token: owner.token, body });
    assert.equal(invited.status, 201, invited.text);
    const token = /token=([\w-]+)/.exec((await mailsTo(chancery(), person.email))[0]?.text ?? '')?.[1];
    const accepted = await chancery().call('POST', '/api/v1/team/invitations/accept', { token: person.token, body: { token } });
    assert.equal(accepted.status, 200, accepted.text);
    return { ...person, token: accepted.body.accessToken };
  },
  /** Opens a path in a new session of a person. */
  open: async (person: Registered, path: string, options: BrowserContextOptions = {}): Promise<Page> =>
    as({ ...person, refreshToken: cookieOf(await signIn(chancery(), person.email), 'refresh_token') }, path, options),
});
