import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { newToken, tokenHash } from '../../../src/platform/crypto/tokens.ts';
import { totpAt, totpStep } from '../../../src/platform/crypto/totp.ts';
import type { Chancery } from '../../harness.ts';
import { cookieOf, enrolled, goodPassword, secretOf, withPreviousCode } from '../../people.ts';
import { firstStaff, staffPath as auth } from '../../staff.ts';
import { type Acts, type ActEntry, type ActWorld, by, newName } from './kit.ts';

const operations = '/api/v1/staff';
type StaffMember = { id: string; email: string; token: string; refreshToken: string };

/** Creates another staff member with the password of the first. Operators use the command line instead. */
async function member({ chancery }: ActWorld): Promise<StaffMember> {
  const [id, email] = [randomUUIDv7(), `${newName('staff')}@example.org`];
  await chancery.pool.query(
    "INSERT INTO staff (id, email, email_key, name, password_hash) SELECT $1, $2, $2, 'Grace Walker', password_hash FROM staff WHERE email = $3",
    [id, email, firstStaff.STAFF_BOOTSTRAP_EMAIL],
  );
  const signed = await login(chancery, email);
  return { id, email, token: signed.body.accessToken, refreshToken: cookieOf(signed, 'staff_refresh_token') };
}

async function login(chancery: Chancery, email: string) {
  const answer = await chancery.call('POST', `${auth}/login`, { body: { email, password: goodPassword } });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

async function begun(world: ActWorld): Promise<StaffMember & { code(step?: number): string; body: { code: string; setupId: string } }> {
  const person = await member(world);
  const { setupId, totpUri } = await world.made('POST', `${auth}/totp/setup-init`, undefined, { token: person.token });
  const code = (step = 0) => totpAt(secretOf(totpUri), totpStep(new Date()) + step);
  return { ...person, code, body: { code: code(), setupId } };
}

async function withTotp(world: ActWorld): Promise<StaffMember & { code: string }> {
  const { code, body, ...person } = await begun(world);
  const confirm = (previous: string) =>
    world.chancery.call('POST', `${auth}/totp/setup-confirm`, { token: person.token, body: { ...body, code: previous } });
  assert.equal((await withPreviousCode(code, confirm)).status, 200);
  return { ...person, code: code() };
}
const tokenWithTotp = (world: ActWorld) => withTotp(world).then(({ token }) => ({ token }));

const reason = { reason: 'asked for by the owner' };

/** An action of staff on a team or user. Each has a reason. */
const acting = (path: (world: ActWorld) => Promise<string>, ...entries: string[]): ActEntry =>
  by(async (world) => ({ token: world.staffToken, path: await path(world), body: reason }), 'POST', '', ...entries);
/** Creates an interface in the owner’s team and returns its path for staff. */
async function interfaceForStaff({ made, owner }: ActWorld): Promise<string> {
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const { id } = await made('POST', '/api/v1/interfaces/', { title: newName('form'), type: 'form', fields });
  return `${operations}/interfaces/${owner.team}/${id}`;
}

/** Actions of staff: their sign-in, and actions on teams and users. */
export const staffActs: Acts = {
  [`POST ${auth}/login`]: {
    entries: ['staff.login.succeeded'],
    prepare:
      async ({ chancery }) =>
      () =>
        login(chancery, firstStaff.STAFF_BOOTSTRAP_EMAIL),
  },
  [`POST ${auth}/verify-totp`]: {
    entries: ['staff.login.succeeded'],
    async prepare(world) {
      const { email, code } = await withTotp(world);
      const { challengeId } = (await login(world.chancery, email)).body;
      return () => world.chancery.call('POST', `${auth}/verify-totp`, { body: { challengeId, code } });
    },
  },
  // A token rotation is not an action of a person.
  [`POST ${auth}/refresh`]: {
    entries: [],
    async prepare(world) {
      const { refreshToken } = await member(world);
      return () => world.chancery.call('POST', `${auth}/refresh`, { body: { refreshToken } });
    },
  },
  [`POST ${auth}/logout`]: by(member, 'POST', `${auth}/logout`, 'staff.logout'),
  [`POST ${auth}/reauthenticate`]: by(
    async (world) => ({ token: (await member(world)).token, body: { password: goodPassword } }),
    'POST',
    `${auth}/reauthenticate`,
    'staff.session.reauthenticated',
  ),
  [`POST ${auth}/set-password`]: {
    entries: ['staff.password.set'],
    async prepare(world) {
      const { id } = await member(world);
      const token = newToken();
      await world.chancery.pool.query("INSERT INTO staff_password_link VALUES ($1, $2, now() + interval '1 hour')", [id, tokenHash(token)]);
      return () => world.chancery.call('POST', `${auth}/set-password`, { body: { token, password: `${goodPassword}!` } });
    },
  },
  [`POST ${auth}/totp/setup-init`]: by(member, 'POST', `${auth}/totp/setup-init`, 'staff.totp.setup_started'),
  [`POST ${auth}/totp/setup-confirm`]: by(begun, 'POST', `${auth}/totp/setup-confirm`, 'staff.totp.enabled'),
  [`POST ${auth}/totp/regenerate-backup`]: by(tokenWithTotp, 'POST', `${auth}/totp/regenerate-backup`, 'staff.totp.codes_regenerated'),
  [`POST ${auth}/totp/disable`]: by(tokenWithTotp, 'POST', `${auth}/totp/disable`, 'staff.totp.disabled'),

  [`POST ${operations}/teams/{id}/suspend`]: acting(
    async ({ chancery }) => `${operations}/teams/${(await chancery.team()).id}/suspend`,
    'team.suspended',
  ),
  [`POST ${operations}/teams/{id}/restore`]: acting(async ({ chancery, made, staffToken }) => {
    const { id } = await chancery.team();
    await made('POST', `${operations}/teams/${id}/suspend`, reason, { token: staffToken });
    return `${operations}/teams/${id}/restore`;
  }, 'team.restored'),
  [`PUT ${operations}/teams/{id}/quotas`]: by(
    async ({ chancery, staffToken }) => ({
      token: staffToken,
      path: `${operations}/teams/${(await chancery.team()).id}/quotas`,
      body: { quotas: { documents: 10 }, ...reason },
    }),
    'PUT',
    '',
    'team.quotas_changed',
  ),
  [`POST ${operations}/users/{id}/unlock`]: acting(
    async ({ member: person }) => `${operations}/users/${person.id}/unlock`,
    'user.unlocked',
  ),
  [`POST ${operations}/users/{id}/disable-2fa`]: acting(
    async ({ chancery }) => `${operations}/users/${(await enrolled(chancery)).id}/disable-2fa`,
    'twofactor.disabled',
  ),
  [`POST ${operations}/users/{id}/revoke-sessions`]: acting(
    async ({ chancery, owner }) => `${operations}/users/${(await chancery.user(owner.team)).id}/revoke-sessions`,
    'session.all_revoked',
  ),
  [`POST ${operations}/interfaces/{teamId}/{id}/suspend`]: acting(
    async (world) => `${await interfaceForStaff(world)}/suspend`,
    'interface.suspended',
  ),
  [`POST ${operations}/interfaces/{teamId}/{id}/resume`]: acting(async (world) => {
    const path = await interfaceForStaff(world);
    await world.made('POST', `${path}/suspend`, reason, { token: world.staffToken });
    return `${path}/resume`;
  }, 'interface.resumed'),
  [`POST ${operations}/interfaces/{teamId}/{id}/dismiss-reports`]: acting(
    async (world) => `${await interfaceForStaff(world)}/dismiss-reports`,
    'interface.reports_dismissed',
  ),
};
