import { authPath as auth, goodPassword as password, registered, signIn } from '../../people.ts';
import { type Acts, type ActWorld, alone, by, mailed, newAddress, pending } from './kit.ts';

const person = ({ chancery }: ActWorld) => registered(chancery);

/** Actions on registration, sign-in, sign-out, passwords and the own profile. */
export const accountActs: Acts = {
  // No account or team exists yet. The confirmation of the address writes the entries.
  [`POST ${auth}/register`]: alone('POST', `${auth}/register`, {
    email: 'first@example.org',
    firstName: 'Ada',
    lastName: 'First',
    password,
  }),
  [`POST ${auth}/resend-verification`]: {
    entries: [],
    async prepare(world) {
      const email = await pending(world);
      return () => world.send('POST', `${auth}/resend-verification`, { email });
    },
  },
  [`POST ${auth}/verify-email`]: {
    entries: ['login.succeeded', 'member.joined', 'user.email_verified', 'user.registered'],
    async prepare(world) {
      const email = await pending(world);
      const code = await mailed(world, email, /(\d{6})/);
      return () => world.send('POST', `${auth}/verify-email`, { email, code });
    },
  },
  [`POST ${auth}/login`]: {
    entries: ['login.succeeded'],
    async prepare(world) {
      const { email } = await person(world);
      return () => signIn(world.chancery, email);
    },
  },
  // A token rotation is not an action of a person. The session already has its entries.
  [`POST ${auth}/refresh`]: {
    entries: [],
    async prepare(world) {
      const { refreshToken } = await person(world);
      return () => world.send('POST', `${auth}/refresh`, { refreshToken });
    },
  },
  [`POST ${auth}/logout`]: by(person, 'POST', `${auth}/logout`, 'logout'),
  [`DELETE ${auth}/sessions/{id}`]: by(
    async (world) => {
      const { email, token } = await person(world);
      await signIn(world.chancery, email);
      const { body } = await world.send('GET', `${auth}/sessions`, undefined, { token });
      const other = body.find(({ current }: { current: boolean }) => !current);
      return { token, path: `${auth}/sessions/${other.id}` };
    },
    'DELETE',
    '',
    'session.revoked',
  ),
  [`POST ${auth}/teams`]: by(
    async (world) => ({ token: (await person(world)).token, body: { name: 'Second' } }),
    'POST',
    `${auth}/teams`,
    'member.joined',
  ),
  [`POST ${auth}/switch-team`]: {
    entries: ['session.team_switched'],
    async prepare(world) {
      const { token, team } = await person(world);
      return () => world.send('POST', `${auth}/switch-team`, { teamId: team }, { token });
    },
  },
  [`POST ${auth}/request-password-reset`]: {
    entries: ['password.reset_requested'],
    async prepare(world) {
      const { email } = await person(world);
      return () => world.send('POST', `${auth}/request-password-reset`, { email });
    },
  },
  [`POST ${auth}/reset-password`]: {
    entries: ['password.reset'],
    async prepare(world) {
      const { email } = await person(world);
      await world.made('POST', `${auth}/request-password-reset`, { email });
      const token = await mailed(world, email, /token=([\w-]+)/);
      return () => world.send('POST', `${auth}/reset-password`, { token, password: 'AnotherGood1Horse' });
    },
  },
  [`PUT ${auth}/change-password`]: by(
    async (world) => ({
      token: (await person(world)).token,
      body: { currentPassword: password, newPassword: 'AnotherGood1Horse' },
    }),
    'PUT',
    `${auth}/change-password`,
    'login.succeeded',
    'password.changed',
    'session.revoked',
  ),
  [`PUT ${auth}/profile`]: alone('PUT', `${auth}/profile`, { firstName: 'Grace' }, 'profile.updated'),
  [`PUT ${auth}/profile/notifications`]: alone('PUT', `${auth}/profile/notifications`, { taskAssigned: 'daily' }, 'profile.updated'),
  [`POST ${auth}/profile/confirm-email`]: by(
    async (world) => {
      const { token } = await person(world);
      const email = newAddress();
      await world.made('PUT', `${auth}/profile`, { email }, { token });
      return { token, body: { code: await mailed(world, email, /(\d{6})/) } };
    },
    'POST',
    `${auth}/profile/confirm-email`,
    'email.changed',
  ),
  // The user is the only member of the team, so the deletion also closes the team.
  [`DELETE ${auth}/profile`]: by(person, 'DELETE', `${auth}/profile`, 'team.closed', 'user.deleted'),
  [`POST ${auth}/transfer-ownership`]: by(
    async ({ chancery }) => {
      const { owner } = await chancery.team();
      return { token: owner.token, body: { newOwnerId: (await chancery.user(owner.team)).id } };
    },
    'POST',
    `${auth}/transfer-ownership`,
    'team.ownership_transferred',
  ),
};
