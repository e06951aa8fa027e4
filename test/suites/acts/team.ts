import { randomUUID } from 'node:crypto';
import { loadMasterKey } from '../../../src/platform/crypto/master-key.ts';
import { bounceAddresses } from '../../../src/platform/mail/bounce-addresses.ts';
import { bounceToken } from '../../harness.ts';
import { insertSeat } from '../../memberships.ts';
import { goodPassword } from '../../people.ts';
import { type Acts, type ActWorld, alone, by, invite, mailed, newAddress, on } from './kit.ts';

const team = '/api/v1/team';
const colleague = ({ chancery, owner }: ActWorld) => chancery.user(owner.team);
const invited = (world: ActWorld) => invite(world, newAddress());

const seat = {
  endsAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  journalFrom: '2020-01-01T00:00:00Z',
  journalTo: '2030-01-01T00:00:00Z',
  mayExport: false,
};
const auditor = async ({ chancery, owner }: ActWorld) => {
  const made = await chancery.user(owner.team, { role: 'auditor' });
  await insertSeat(chancery.pool, owner.team, made.id);
  return made;
};

/** Actions on a team, its members and its invitations. */
export const teamActs: Acts = {
  [`PUT ${team}/working-time`]: alone(
    'PUT',
    `${team}/working-time`,
    { days: ['mon', 'tue'], opens: '08:00', closes: '16:00' },
    'team.working_time_changed',
  ),
  [`PUT ${team}/policy`]: alone('PUT', `${team}/policy`, { secondFactor: false, sessionHours: 720 }, 'team.policy_changed'),
  [`PATCH ${team}`]: alone('PATCH', team, { name: 'Walked & Partners' }, 'team.updated'),
  [`PATCH ${team}/branding`]: alone('PATCH', `${team}/branding`, { colour: '#0b6e4f' }, 'team.branding_updated'),
  // The member who leaves becomes the owner of a new team, whose journal gets the other entry.
  [`POST ${team}/leave`]: by(colleague, 'POST', `${team}/leave`, 'member.joined', 'member.removed'),
  [`PATCH ${team}/members/{userId}`]: on(
    colleague,
    'PATCH',
    ({ id }) => `${team}/members/${id}`,
    { role: 'viewer', isActive: false },
    'member.role_changed',
    'member.suspended',
  ),
  [`DELETE ${team}/members/{userId}`]: on(
    colleague,
    'DELETE',
    ({ id }) => `${team}/members/${id}`,
    undefined,
    'member.joined',
    'member.removed',
  ),
  [`POST ${team}/invitations`]: alone(
    'POST',
    `${team}/invitations`,
    { email: 'walked.guest@example.org', role: 'viewer' },
    'member.invited',
  ),
  [`POST ${team}/invitations/batch`]: alone(
    'POST',
    `${team}/invitations/batch`,
    { items: ['one', 'two'].map((name) => ({ email: `walked.${name}@example.org`, role: 'viewer' })) },
    'member.invited',
    'member.invited',
  ),
  [`POST ${team}/auditors`]: on(
    ({ made }) => made('POST', '/api/v1/smartdoc/folders/', { name: 'Audited' }),
    'POST',
    () => `${team}/auditors`,
    (_: ActWorld, { id }: { id: string }) => ({ email: 'walked.auditor@example.org', ...seat, things: [{ type: 'folder', id }] }),
    'member.invited',
  ),
  [`PATCH ${team}/auditors/{userId}`]: on(auditor, 'PATCH', ({ id }) => `${team}/auditors/${id}`, { mayExport: true }, 'auditor.changed'),
  [`DELETE ${team}/auditors/{userId}`]: on(
    auditor,
    'DELETE',
    ({ id }) => `${team}/auditors/${id}`,
    undefined,
    'member.joined',
    'member.removed',
  ),
  [`DELETE ${team}/invitations/{id}`]: on(invited, 'DELETE', ({ id }) => `${team}/invitations/${id}`, undefined, 'invitation.revoked'),
  [`POST ${team}/invitations/{id}/resend`]: on(
    async (world) => {
      const invitation = await invited(world);
      await world.chancery.pool.query("UPDATE invitation SET sent_at = sent_at - interval '2 minutes' WHERE id = $1", [invitation.id]);
      return invitation;
    },
    'POST',
    ({ id }) => `${team}/invitations/${id}/resend`,
    undefined,
    'invitation.resent',
  ),
  // It changes nothing. It is a POST because a token must not be part of a URL.
  [`POST ${team}/invitations/preview`]: {
    entries: [],
    async prepare(world) {
      const { email } = await invited(world);
      const token = await mailed(world, email, /token=([\w-]+)/);
      return () => world.chancery.call('POST', `${team}/invitations/preview`, { body: { token } });
    },
  },
  // The message reports no failure. A job records the others: src/identity/bounces tests `mail.undeliverable`.
  'POST /api/v1/mail/bounces': {
    entries: [],
    async prepare({ chancery }) {
      const key = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
      const recipient = bounceAddresses('bounces@chancery.example', key.accepted('bounce-addresses')).of(randomUUID());
      const headers = { 'content-type': 'message/rfc822' };
      return () =>
        chancery.call('POST', `/api/v1/mail/bounces?recipient=${encodeURIComponent(recipient)}`, {
          token: bounceToken,
          headers,
          body: 'Subject: Out of office\r\n\r\n',
        });
    },
  },
  [`POST ${team}/invitations/accept`]: {
    entries: ['login.succeeded', 'member.joined', 'user.email_verified', 'user.registered'],
    async prepare(world) {
      const { email } = await invited(world);
      const body = {
        token: await mailed(world, email, /token=([\w-]+)/),
        firstName: 'Ada',
        lastName: 'Walker',
        password: goodPassword,
      };
      return () => world.chancery.call('POST', `${team}/invitations/accept`, { body });
    },
  },
};
