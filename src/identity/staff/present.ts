import type { acrossTeams } from '#accounts';
import type { StaffRow } from './queries.ts';

export function presentStaff(row: StaffRow) {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isActive: row.is_active,
    totpEnabled: row.totp_enabled,
    createdAt: row.created_at,
    ...(row.last_login_at === null ? {} : { lastLoginAt: row.last_login_at }),
  };
}

export function presentTeam(row: acrossTeams.TeamRow) {
  return { id: row.id, name: row.name, status: row.status, membersCount: row.members, createdAt: row.created_at };
}

export function presentPerson(row: acrossTeams.PersonRow) {
  return {
    id: row.id,
    teamId: row.team_id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    status: row.status,
    twoFactorEnabled: row.two_factor_enabled,
    createdAt: row.created_at,
  };
}
