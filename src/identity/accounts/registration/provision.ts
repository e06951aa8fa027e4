import { randomUUIDv7 } from 'node:crypto';
import { violates } from '../../../platform/database/errors.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { languageOf } from '../../../platform/mail/compose.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { withoutLinks } from '../../../platform/text.ts';
import type { Accounts } from '../context.ts';
import type { EmailAddress } from '../emails.ts';
import { emailChanged, profileUpdated, userRegistered } from '../events.ts';
import { accountMail } from '../mails.ts';
import { inEachTeam, joinTeam, listTeams } from '../membership/teams-of-person.ts';
import * as queries from '../queries.ts';
import type { Role } from '../roles.ts';
import { endSignIns } from '../sign-in/credentials.ts';
import { cleanPersonName } from './register.ts';

/** A new user of a directory of the team. The team has verified the domain of the address. */
export type Provisioned = {
  email: EmailAddress;
  firstName: string | undefined;
  lastName: string | undefined;
  language: string | undefined;
  role: Role;
};

/** Runs `work` with the tables of a person open to the transaction. */
async function asPersonOf<T>(scope: Scope, id: string, work: () => Promise<T>): Promise<T> {
  scope.db.enterPerson(id);
  const result = await work();
  scope.db.enterPerson(scope.actor.type === 'user' ? scope.actor.id : '');
  return result;
}

/**
 * Makes the person of an address a member of the team of the scope; creates the person if there is none. The team
 * manages a person that it creates. The caller must hold the lock of the members (`lockMembers`). Returns the id.
 * Errors: 409 `team_limit`.
 */
export async function provisionMember(scope: Scope, who: Provisioned): Promise<string> {
  const existing = await scope.db.first(queries.personByEmail, { emailKey: who.email.key });
  const id = existing?.id ?? randomUUIDv7();
  await asPersonOf(scope, id, async () => {
    if (!existing) await createManaged(scope, who, id);
    await joinTeam(scope, id, { role: who.role });
  });
  return id;
}

async function createManaged(scope: Scope, { email, firstName, lastName, language }: Provisioned, id: string): Promise<void> {
  try {
    await scope.db.all(queries.insertManagedPerson, {
      team: scope.team,
      id,
      email: email.address,
      emailKey: email.key,
      firstName: validName(firstName) ?? firstNameOf(email),
      lastName: validName(lastName) ?? unknownLastName,
      locale: languageOf(language),
      at: scope.now,
    });
  } catch (error) {
    throw addressTaken(error);
  }
  await recordAudit(scope, userRegistered, id);
}

/** Returns the first name of a person until they enter one: the part before the @. It can look like the address of a page. */
export const firstNameOf = ({ address }: EmailAddress): string => withoutLinks(address.split('@', 1)[0] ?? '');

/** The last name of a person until they enter one. */
export const unknownLastName = '–';

/** The address was registered in another transaction after this one looked it up. */
export const addressTaken = (error: unknown): unknown =>
  violates(error, 'person_email_once') ? problems.conflict('The address was registered at the same time. Try again.') : error;

/** Returns the name if it is valid for a person here. */
export function validName(given: string | undefined): string | undefined {
  try {
    return given === undefined ? undefined : cleanPersonName(given, 'name');
  } catch {
    return undefined;
  }
}

/** Whether the sign-in address of the current person may change: the team has verified its domain, and the person has no other team. */
async function mayMove(scope: Scope, emailKey: string, owns: (emailKey: string) => Promise<boolean>): Promise<boolean> {
  return (await owns(emailKey)) && (await listTeams(scope.db)).every(({ id }) => id === scope.team);
}

/**
 * Changes name and address of a managed person of the team; nothing for another person. The address stays if another person has it, or if
 * the person has another team. It also stays unless the team has verified the domains of both addresses (`owns`). A change of the address ends the sign-ins and is
 * mailed to the old address. Returns the contact at a new address. The caller must hold the lock of the members (`lockMembers`).
 */
export async function changeManagedPerson(
  accounts: Pick<Accounts, 'tokens'>,
  scope: Scope,
  id: string,
  to: { email: EmailAddress | undefined; firstName: string | undefined; lastName: string | undefined },
  owns: (emailKey: string) => Promise<boolean>,
): Promise<{ email: string; locale: string; firstName: string } | undefined> {
  const other = to.email && (await scope.db.first(queries.personByEmail, { emailKey: to.email.key }));
  const isFree = to.email !== undefined && (!other || other.id === id) && (await owns(to.email.key));
  return asPersonOf(scope, id, async () => {
    const kept = await scope.db.first(queries.managedPerson, { team: scope.team, id });
    if (!kept) return undefined;
    const email =
      isFree && to.email && (await mayMove(scope, kept.email_key, owns)) ? to.email : { address: kept.email, key: kept.email_key };
    const firstName = validName(to.firstName) ?? kept.first_name;
    const lastName = validName(to.lastName) ?? kept.last_name;
    const moved = email.key !== kept.email_key;
    const members = [...(firstName === kept.first_name ? [] : ['firstName']), ...(lastName === kept.last_name ? [] : ['lastName'])];
    if (!moved && email.address === kept.email && members.length === 0) return undefined;
    if (moved) await endSignIns(accounts, scope, id, null);
    const changed = { team: scope.team, id, email: email.address, emailKey: email.key, firstName, lastName, at: scope.now };
    await scope.db.all(queries.updateManagedPerson, changed).catch((error: unknown) => {
      throw addressTaken(error);
    });
    if (members.length > 0) await recordAudit(scope, profileUpdated, id, { members });
    if (!moved) return undefined;
    await queueMail(scope.db, { to: kept.email, team: scope.team, ...accountMail(kept.locale, 'emailChanged', firstName) });
    await inEachTeam(scope, (one) => recordAudit(one, emailChanged, id));
    return { email: email.address, locale: kept.locale, firstName };
  });
}
