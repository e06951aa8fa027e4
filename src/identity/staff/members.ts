import { randomUUIDv7 } from 'node:crypto';
import { accountProblems, cleanPersonName, emailOf, passwordError, refused } from '#accounts';
import { secondFactorBudgets } from '#credentials';
import { newToken, tokenHash } from '../../platform/crypto/tokens.ts';
import type { PassOwner } from '../../platform/http/device-pass.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import * as acts from './events.ts';
import { endStaffSessions } from './credentials.ts';
import { across, asStaff, type Origin, type Staff } from './context.ts';
import { presentStaff } from './present.ts';
import * as queries from './queries.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const linkHours = 24;
const byOperator = { type: 'system' } as const;
const fromCommandLine = ({ database }: Staff): Origin => ({ now: new Date(database.clock.now()), requestId: `command-${randomUUIDv7()}` });

/** Operations of the command line on staff accounts. HTTP has no operation to create one. */
export type StaffAdministration = {
  /** Creates an account with a password, or with a link that sets one. Returns undefined if the address has an account. */
  create(input: { email: string; name: string; password?: string }): Promise<{ id: string; link?: string } | undefined>;
  list(): Promise<ReturnType<typeof presentStaff>[]>;
  setActive(email: string, active: boolean): Promise<boolean>;
  resetTotp(email: string): Promise<boolean>;
  passwordLink(email: string): Promise<string | undefined>;
  /** Creates the first account from the settings if none exists. */
  bootstrap(email: string, password: string): Promise<boolean>;
};

async function hashOf(staff: Staff, password: string, person: { email: string; name: string }): Promise<string> {
  const error = await passwordError(password, {
    minLength: staff.settings.passwordMinLength,
    email: person.email,
    firstName: person.name,
    lastName: '',
  });
  if (error) throw refused('password', error.reason, error.rule);
  return staff.hasher.hash(password);
}

async function newLink(staff: Staff, scope: Scope, id: string): Promise<string> {
  const token = newToken();
  await scope.db.all(queries.putLink, { id, hash: tokenHash(token), hours: linkHours });
  // The token follows `#`, because browsers do not send that part to a server.
  return `${staff.settings.baseUrl}/staff/set-password#token=${token}`;
}

export function administerStaff(staff: Staff): StaffAdministration {
  const operate = <T>(reason: string, work: (scope: Scope) => Promise<T>) =>
    asStaff(staff, reason, fromCommandLine(staff), byOperator, work);
  const found = async (scope: Scope, email: string) => scope.db.first(queries.staffByEmail, { emailKey: emailOf(email).key });

  async function create(input: { email: string; name: string; password?: string }, only: 'always' | 'if none exists') {
    const { address, key } = emailOf(input.email);
    const name = cleanPersonName(input.name, 'name');
    const passwordHash = input.password === undefined ? null : await hashOf(staff, input.password, { email: key, name });
    return operate('create staff', async (scope) => {
      if (only === 'if none exists' && (await scope.db.first(queries.anyStaff, {}))?.any) return undefined;
      const id = randomUUIDv7();
      if (!(await scope.db.first(queries.insertStaff, { id, email: address, emailKey: key, name, passwordHash, at: scope.now })))
        return undefined;
      await recordAudit(scope, acts.staffCreated, id);
      return passwordHash === null ? { id, link: await newLink(staff, scope, id) } : { id };
    });
  }

  return {
    create: (input) => create(input, 'always'),
    list: () => operate('list staff', async (scope) => (await scope.db.all(queries.listStaff, {})).map(presentStaff)),
    setActive: (email, active) =>
      operate('activate staff', async (scope) => {
        const person = await found(scope, email);
        if (!person) return false;
        await pipelined([
          () => scope.db.all(queries.setActive, { id: person.id, active }),
          ...(active ? [] : [() => endStaffSessions(scope, person.id)]),
          () => recordAudit(scope, active ? acts.staffActivated : acts.staffDeactivated, person.id),
        ]);
        return true;
      }),
    resetTotp: (email) =>
      operate('reset the second factor of staff', async (scope) => {
        const person = await found(scope, email);
        if (!person || !(await scope.db.first(queries.disableTotp, { staff: person.id }))) return false;
        await pipelined([
          () => endStaffSessions(scope, person.id),
          () => staff.throttle.clear(scope.db, secondFactorBudgets(staff.throttle, person.id)),
          () => recordAudit(scope, acts.staffTotpDisabled, person.id),
        ]);
        return true;
      }),
    passwordLink: (email) =>
      operate('new password link for staff', async (scope) => {
        const person = await found(scope, email);
        return person && newLink(staff, scope, person.id);
      }),
    bootstrap: async (email, password) => (await create({ email, name: 'Administrator', password }, 'if none exists')) !== undefined,
  };
}

/** Sets a password by link. All sessions end, and the second factor stays. Returns the owner of the password. */
export async function setStaffPassword(staff: Staff, input: { token: string; password: string }, origin: Origin): Promise<PassOwner> {
  const hash = tokenHash(input.token);
  const person = await across(staff, 'staff password link', (tx) => tx.first(queries.staffByLink, { hash }));
  const invalid = () =>
    accountProblems.invalid_or_expired_token('The link is wrong, used, or older than a day. Ask an operator for a new one.');
  const passwordHash = await hashOf(staff, input.password, person ?? { email: '', name: '' });
  if (!person) throw invalid();
  await asStaff(staff, 'staff password', origin, { type: 'staff', id: person.id }, async (scope) => {
    if (!(await scope.db.first(queries.takeLink, { hash }))) throw invalid();
    scope.db.send(queries.setPassword, { id: person.id, hash: passwordHash });
    scope.db.send(queries.dropChallenges, { staff: person.id });
    await pipelined([() => endStaffSessions(scope, person.id), () => recordAudit(scope, acts.staffPasswordSet, person.id)]);
  });
  return { id: person.id, passwordHash };
}
