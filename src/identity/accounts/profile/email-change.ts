import { equalInConstantTime, hmac, newCode } from '../../../platform/crypto/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/errors.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { emailChanged, emailChangeRequested } from '../events.ts';
import { holdPerson, keepSessions } from '../sign-in/credentials.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { emailOf } from '../registration/register.ts';
import { requireRecentSignIn } from '../sign-in/reauthentication.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const maxTries = 5;

type Who = { team: string; account: string };

const changeHmac = (accounts: Accounts, account: string, emailKey: string, code: string) =>
  hmac(accounts.keys.codes, 'email change', account, emailKey, code);

/**
 * Mails a code to the new address, and a notice to the old one. The address changes when the code comes back; whether
 * the new one belongs to somebody already is said to its mailbox alone.
 */
export async function requestEmailChange(accounts: Accounts, scope: Scope, session: string, given: string): Promise<void> {
  const person = await requireRecentSignIn(scope, session);
  await refuseManaged(scope, person.account_id);
  const { address, key } = emailOf(given);
  const who = { team: scope.team, account: person.account_id };
  const code = newCode(6);
  const lives = accounts.settings.lifetimes.mailedCode;
  const { taken, mayMail } = await pipelined({
    taken: () => scope.db.first(queries.accountByEmail, { emailKey: key }),
    mayMail: () => accounts.throttle.mayMail(scope.db, 'email change', key, { place: who.account }),
  });
  scope.db.send(factors.putEmailChange, {
    ...who,
    email: address,
    emailKey: key,
    // Where none was mailed there is none to guess.
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
              ? { to: taken.email, team: null, ...accountMail(taken.locale, 'alreadyRegistered', accounts.settings.baseUrl) }
              : { to: address, team: scope.team, ...accountMail(person.locale, 'emailChange', person.first_name, code, lives) },
          )
        : undefined,
  ]);
}

const invalidCode = () =>
  accountProblems.invalid_or_expired_code('The code is wrong, was used, or is too old. Change the address again to get a new one.');

/** The address of somebody who must sign in through the team's provider is the team's to manage. Errors: 403. */
async function refuseManaged(scope: Scope, account: string): Promise<void> {
  if (!(await scope.db.first(queries.requiresProvider, { team: scope.team, account }))?.required) return;
  throw accountProblems.address_managed_by_team(
    'Your team signs in through its own provider, and your address is the one it knows you by. An owner or administrator of the team can let it go.',
  );
}

/** A code that was right; `take` gives the budgets back it was looked at for. */
export type CheckedChange = { codeHmac: Buffer; take(scope: Scope): Promise<void> };

/**
 * Checks a code of an address that is to change. Each try is spent before it is looked at: 5 of a code, 20 a day of the
 * account whatever addresses it asks for, 50 a day of the address whichever accounts do. Errors: 400, 429.
 */
export async function checkEmailChange(accounts: Accounts, database: Database, who: Who, given: string): Promise<CheckedChange> {
  const { throttle } = accounts;
  const change = await database.inTeam(who.team, async (tx) => {
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

/** Changes the address; what was mailed to the old one is no longer good. */
export async function confirmEmailChange(scope: Scope, account: string, checked: CheckedChange): Promise<void> {
  const who = { team: scope.team, account };
  holdPerson(scope, account);
  const before = await scope.db.first(queries.accountById, { team: scope.team, id: account });
  await refuseManaged(scope, account);
  try {
    if (!before || !(await scope.db.first(factors.takeEmailChange, { ...who, codeHmac: checked.codeHmac, at: scope.now })))
      throw invalidCode();
  } catch (error) {
    // The address was registered by somebody meanwhile, who has confirmed it too.
    throw violates(error, 'account_email_once') ? invalidCode() : error;
  }
  keepSessions(scope, account, null);
  await pipelined([
    () => checked.take(scope),
    () => scope.db.all(factors.dropPending, who),
    () => recordAudit(scope, emailChanged, account),
    () => queueMail(scope.db, { to: before.email, team: scope.team, ...accountMail(before.locale, 'emailChanged', before.first_name) }),
  ]);
}
