import { equalInConstantTime, hmac, newCode } from '../../../platform/crypto/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/errors.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { clearUndeliverable } from '../../../platform/mail/undeliverable-queries.ts';
import type { Scope } from '../../../platform/scope.ts';
import { emailChanged, emailChangeRequested } from '../events.ts';
import { lockPersonCredentials, keepSignIns } from '../sign-in/credentials.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { accountProblems } from '../problems.ts';
import { asPerson, inEachTeam, listTeams } from '../membership/teams-of-person.ts';
import * as queries from '../queries.ts';
import { emailOf } from '../registration/register.ts';
import { requireOwnProof } from '../sign-in/reauthentication.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const maxTries = 5;

type Who = { team: string; account: string };

const changeHmac = (accounts: Accounts, account: string, emailKey: string, code: string) =>
  hmac(accounts.keys.codes, 'email change', account, emailKey, code);

/**
 * Mails a code to the new address, and a notice to the old one. The address changes when the
 * code is confirmed. Only the new mailbox learns whether the address already has an account.
 */
export async function requestEmailChange(accounts: Accounts, scope: Scope, session: string, given: string): Promise<void> {
  const person = await requireOwnProof(scope, session);
  await refuseManaged(scope);
  const { address, key } = emailOf(given);
  const who = { team: scope.team, account: person.account_id };
  const code = newCode(6);
  const lives = accounts.settings.lifetimes.mailedCode;
  const { taken, mayMail } = await pipelined({
    taken: () => scope.db.first(queries.personByEmail, { emailKey: key }),
    mayMail: () => accounts.throttle.mayMail(scope.db, 'email change', key, { place: who.account }),
  });
  scope.db.send(factors.putEmailChange, {
    ...who,
    email: address,
    emailKey: key,
    // Without a mailed code, no code can match.
    codeHmac: mayMail && !taken ? changeHmac(accounts, who.account, key, code) : null,
    lives,
  });
  await pipelined([
    () => recordAudit(scope, emailChangeRequested, who.account),
    () =>
      queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'emailChangeNotice', person.first_name) }),
    () =>
      mayMail
        ? queueMail(
            scope.db,
            taken
              ? { to: taken.email, team: null, ...accountMail(taken.locale, 'alreadyRegistered') }
              : { to: address, team: scope.team, ...accountMail(person.locale, 'emailChange', person.first_name, code, lives) },
          )
        : undefined,
  ]);
}

const invalidCode = () =>
  accountProblems.invalid_or_expired_code('The code is wrong, used or expired. Change the address again to get a new one.');

/** Rejects a change of an address that a team manages, because the team enforces its provider. Errors: 403. */
async function refuseManaged(scope: Scope): Promise<void> {
  const managing = (await listTeams(scope.db)).find(({ connectionId }) => connectionId !== undefined);
  if (managing === undefined) return;
  throw accountProblems.address_managed_by_team(
    `The team ${managing.name} signs in through its own provider, which knows you by this address. Ask an owner or administrator of the team to release it.`,
  );
}

/** A matching code. `take` marks it as used and resets its attempt limits. */
export type CheckedChange = { codeHmac: Buffer; take(scope: Scope): Promise<void> };

/**
 * Checks the code of a new address. Each attempt is counted before the check. A code allows 5 attempts, an account 20 a day for all addresses, and an
 * address 50 a day for all accounts. Throws 400 or 429.
 */
export async function checkEmailChange(accounts: Accounts, database: Database, who: Who, given: string): Promise<CheckedChange> {
  const { throttle } = accounts;
  const change = await asPerson(database, who.account, async (tx) => {
    const tried = await tx.first(factors.tryEmailChange, { ...who, maxTries });
    if (tried) await throttle.spend(tx, throttle.changeOfAddress(who.account, tried.email_key));
    return tried;
  });
  const code = given.replaceAll(/[\s-]/g, '');
  const codeHmac = change?.code_hmac;
  if (!change || !codeHmac || !equalInConstantTime(codeHmac, changeHmac(accounts, who.account, change.email_key, code)))
    throw invalidCode();
  return { codeHmac, take: ({ db }) => throttle.clear(db, throttle.changeOfAddress(who.account, change.email_key)) };
}

/** Changes the address and invalidates codes and links mailed to the old one. */
export async function confirmEmailChange(scope: Scope, account: string, checked: CheckedChange): Promise<void> {
  const who = { team: scope.team, account };
  lockPersonCredentials(scope, account);
  const before = await scope.db.first(queries.accountById, { team: scope.team, id: account });
  await refuseManaged(scope);
  let changed: { email: string } | undefined;
  try {
    changed = before && (await scope.db.first(factors.takeEmailChange, { ...who, codeHmac: checked.codeHmac, at: scope.now }));
    if (!before || !changed) throw invalidCode();
  } catch (error) {
    // Another user registered and confirmed the address after the code was mailed.
    throw violates(error, 'person_email_once') ? invalidCode() : error;
  }
  keepSignIns(scope, account, null);
  const { email: address } = changed;
  await pipelined([
    () => checked.take(scope),
    () => scope.db.all(factors.dropPending, who),
    () =>
      inEachTeam(scope, (one) => {
        one.db.send(clearUndeliverable, { team: one.team, address, at: scope.now });
        return recordAudit(one, emailChanged, account);
      }),
    () => queueMail(scope.db, { to: before.email, team: scope.team, ...accountMail(before.locale, 'emailChanged', before.first_name) }),
  ]);
}
