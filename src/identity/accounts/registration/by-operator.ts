import { randomUUIDv7 } from 'node:crypto';
import { newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { PublicScope } from '../../../platform/scope.ts';
import { withoutLinks } from '../../../platform/text.ts';
import type { AccountSettings } from '../context.ts';
import type { EmailAddress } from '../emails.ts';
import { userRegistered } from '../events.ts';
import { accountMail } from '../mails.ts';
import { cleanTeamName, requireOwnTeamsLeft } from '../membership/own-teams.ts';
import { createOwnTeam, listTeamsToAdd } from '../membership/teams-of-person.ts';
import { resetLink } from '../passwords/reset.ts';
import * as queries from '../queries.ts';
import { firstEpoch } from '../sign-in/open-session.ts';
import { addressTaken, firstNameOf, unknownLastName } from './provision.ts';

/** The settings of the link that sets the password. */
type LinkSettings = Pick<AccountSettings, 'baseUrl' | 'lifetimes'>;

/** The team that an operator creates. `locale` is the language of a new account. */
export type TeamDraft = { name: string; owner: EmailAddress; locale: string };

/** `exists`: the owner had a team of this name. `password`: the link that sets the password of a new account, and its lifetime in seconds. */
export type TeamByOperator = { team: string; exists: boolean; password?: { link: string; lives: number } };

/**
 * Creates a team for the operator of the service, and an account if the address of the owner has none. The owner gets a mail, with a
 * link to set the password of a new account. Errors: 400, 409 `team_limit`, 422 `name_has_link`.
 */
export async function createTeamByOperator(
  settings: LinkSettings,
  outer: PublicScope,
  { name: given, owner, locale }: TeamDraft,
): Promise<TeamByOperator> {
  const name = cleanTeamName(given);
  const account = await outer.db.first(queries.personByEmail, { emailKey: owner.key });
  const id = account?.id ?? randomUUIDv7();
  outer.db.enterPerson(id);
  const teams = account ? await listTeamsToAdd(outer.db, id) : [];
  const existing = teams.find((team) => team.role === 'owner' && team.name === name && team.teamStatus !== 'closed');
  if (existing) return { team: existing.id, exists: true };
  requireOwnTeamsLeft(teams);
  const firstName = account ? ((await outer.db.first(queries.personById, { id }))?.first_name ?? '') : firstNameOf(owner);
  if (!account) await insertOwner(outer, { id, owner, firstName, locale });
  const scope = await createOwnTeam(outer, { id, name }, { type: 'system' });
  if (!account) await recordAudit(scope, userRegistered, id);
  const password = account ? undefined : createPasswordLink(settings, outer, id);
  await queueMail(scope.db, {
    to: account?.email ?? owner.address,
    team: scope.team,
    ...accountMail(account?.locale ?? locale, 'teamCreated', firstName, withoutLinks(name), password),
  });
  return { team: scope.team, exists: false, ...(password && { password }) };
}

async function insertOwner(
  { db, now }: PublicScope,
  { id, owner, firstName, locale }: { id: string; owner: EmailAddress; firstName: string; locale: string },
): Promise<void> {
  const person = {
    id,
    email: owner.address,
    emailKey: owner.key,
    firstName,
    lastName: unknownLastName,
    locale,
    passwordHash: null,
    at: now,
  };
  await db.all(queries.insertPerson, person).catch((error: unknown) => {
    throw addressTaken(error);
  });
}

/** Stores a link that sets the first password. It lives as long as an invitation. */
function createPasswordLink(settings: LinkSettings, { db }: PublicScope, id: string): { link: string; lives: number } {
  const token = newToken();
  const lives = settings.lifetimes.invitation;
  db.send(queries.putReset, { account: id, epoch: firstEpoch, hash: tokenHash(token), lives });
  return { link: resetLink(settings, token), lives };
}
