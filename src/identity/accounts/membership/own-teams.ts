import type { Static } from 'typebox';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { normalText, refuseLink } from '../../../platform/text.ts';
import { accountProblems } from '../problems.ts';
import { refused } from '../registration/register.ts';
import type { ownTeam } from '../schemas.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { reachOfSignIn } from '../sign-in/credential-queries.ts';
import { requireOwnProof } from '../sign-in/reauthentication.ts';
import { createOwnTeam, listTeams, listTeamsToAdd, maxOwnedTeams, type PersonTeam } from './teams-of-person.ts';

type OwnTeam = Static<typeof ownTeam>;

function present({ id, name, role, status, teamStatus, connectionId, needsSecondFactor, endsAt }: PersonTeam, current: string): OwnTeam {
  return {
    id,
    name,
    role,
    status: teamStatus === 'active' ? status : 'disabled',
    current: id === current,
    ...(endsAt === undefined ? {} : { endsAt }),
    ...(connectionId === undefined ? {} : { requires: 'sso', connectionId }),
    ...(needsSecondFactor && connectionId === undefined ? { requires: 'second_factor' } : {}),
  };
}

/**
 * The teams of the caller, the oldest membership first. A sign-in without a password, code or passkey of this service
 * sees only teams that are open to it.
 */
export async function teamsOf(scope: ReadScope, account: string, session: string): Promise<OwnTeam[]> {
  const { teams, reach } = await pipelined({
    teams: () => listTeams(scope.db),
    reach: () => scope.db.first(reachOfSignIn, { account, session }),
  });
  const isOpen = (id: string) => id === scope.team || reach?.is_own === true || reach?.homes.includes(id) === true;
  return teams.filter(({ id }) => isOpen(id)).map((team) => present(team, scope.team));
}

/** Creates a team that the caller owns. Errors: 401 `reauthentication_required`, 409 `team_limit`, 422 `name_has_link`. */
export async function createTeam(scope: Scope, id: string, session: string, given: string): Promise<OwnTeam> {
  const name = cleanTeamName(given);
  await requireOwnProof(scope, session);
  requireOwnTeamsLeft(await listTeamsToAdd(scope.db, id));
  const { team } = await createOwnTeam(scope, { id, name });
  scope.db.enterTeam(scope.team);
  return { id: team, name, role: 'owner', status: 'active', current: false };
}

/** Returns a valid name of a team. Errors: 400, 422 `name_has_link`. */
export function cleanTeamName(given: string): string {
  const name = normalText(given).trim();
  if (name === '') throw refused('name', 'must not be empty', 'name');
  refuseLink(name, 'name');
  return name;
}

/** Throws 409 `team_limit` if a person with these teams cannot own another one. */
export function requireOwnTeamsLeft(teams: readonly PersonTeam[]): void {
  if (teams.filter(({ role }) => role === 'owner').length >= maxOwnedTeams)
    throw accountProblems.team_limit(`You own ${maxOwnedTeams} teams, which is the limit. Transfer or close one of them first.`);
}
