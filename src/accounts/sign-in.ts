import { randomUUIDv7 } from 'node:crypto';
import { recordAct } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { loginSucceeded } from './acts.ts';
import type { Accounts } from './deps.ts';
import * as queries from './queries.ts';
import { writeRefreshToken } from './refresh-tokens.ts';
import { isRole } from './roles.ts';

/** Where a request came from, as far as a session remembers it. */
export type Device = { ip: string | undefined; userAgent: string | undefined };

/** A new session: the tokens of the device it was made for, and the person as sign-in operations show them. */
export type SignedIn = {
  accessToken: string;
  refreshToken: string;
  user: { id: string; email: string; firstName: string; lastName: string; teamId: string };
};

type Person = { id: string; email: string; first_name: string; last_name: string; role: string };

/** Opens a session for a person whose identity was just proven, inside their team's transaction. */
export async function openSession(accounts: Accounts, scope: Scope, person: Person, device: Device, amr: string[]): Promise<SignedIn> {
  if (!isRole(person.role)) throw new Error(`the role ${person.role} is not known`);
  const sessionId = randomUUIDv7();
  const acr = amr.length > 1 ? 'aal2' : 'aal1';
  const [accessToken] = await Promise.all([
    accounts.tokens.issue({ accountId: person.id, team: scope.team, role: person.role, sessionId, authTime: scope.now, amr, acr }),
    scope.db.all(queries.insertSession, {
      team: scope.team,
      id: sessionId,
      account: person.id,
      amr,
      acr,
      at: scope.now,
      ip: device.ip ?? null,
      userAgent: device.userAgent?.slice(0, 400) ?? null,
    }),
    recordAct(scope, loginSucceeded, sessionId, { amr }),
  ]);
  return {
    accessToken,
    refreshToken: writeRefreshToken(accounts.keys.refresh, { team: scope.team, session: sessionId, counter: 0 }),
    user: { id: person.id, email: person.email, firstName: person.first_name, lastName: person.last_name, teamId: scope.team },
  };
}
