import { type TOptional, Type } from 'typebox';
import { pageQuery, searchFilter } from '../../platform/http/page.ts';
import { type QuotaName, quotaNames } from '../../platform/limits/quotas.ts';
import { quotaUse } from '../../platform/limits/usage.ts';
import { closed, time } from '../../platform/schema-parts.ts';

const password = Type.String({ maxLength: 1_024 });
const code = Type.String({ maxLength: 40 });

export const staff = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    isActive: Type.Boolean(),
    totpEnabled: Type.Boolean(),
    createdAt: time,
    lastLoginAt: Type.Optional(time),
  },
  { ...closed, title: 'Staff' },
);
export const signedIn = Type.Object({ accessToken: Type.String(), staff }, { ...closed, title: 'SignedInStaff' });
export const ok = Type.Object({ ok: Type.Boolean() }, { ...closed, title: 'Done' });
export const loginBody = Type.Object({ email: Type.String({ maxLength: 1_000 }), password });
export const passwordBody = Type.Object({ token: Type.String({ maxLength: 200 }), password });
export const proofBody = Type.Object({ password: Type.Optional(password), code: Type.Optional(code) });

export const team = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.String({ enum: ['active', 'suspended', 'closed'] }),
    membersCount: Type.Integer(),
    createdAt: time,
  },
  { ...closed, title: 'StaffTeam' },
);
export const person = Type.Object(
  {
    id: Type.String(),
    teamId: Type.String(),
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    role: Type.String({ enum: ['owner', 'admin', 'member', 'viewer', 'guest', 'auditor'] }),
    status: Type.String({ enum: ['active', 'disabled', 'deleted'] }),
    twoFactorEnabled: Type.Boolean(),
    createdAt: time,
  },
  { ...closed, title: 'StaffUser' },
);
const q = searchFilter('name or address');
export const teamsQuery = Type.Object({ ...q, status: Type.Optional(Type.Enum(['active', 'suspended', 'closed'])), ...pageQuery });
export const peopleQuery = Type.Object({ ...q, teamId: Type.Optional(Type.String({ format: 'uuid' })), ...pageQuery });
export const reasonBody = Type.Object({
  reason: Type.String({ minLength: 3, maxLength: 1_000, description: 'The reason, recorded in the journal of the team' }),
});
const ownLimit = Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000_000_000 }), Type.Null()], {
  description: 'The limit; `null` restores the default of the settings',
});
export const quotasBody = Type.Object(
  {
    quotas: Type.Object(
      Object.fromEntries(quotaNames.map((name) => [name, Type.Optional(ownLimit)])) as Record<QuotaName, TOptional<typeof ownLimit>>,
      {
        ...closed,
        minProperties: 1,
      },
    ),
    reason: Type.String({ minLength: 3, maxLength: 1_000, description: 'The reason, recorded in the journal of the team' }),
  },
  closed,
);
export const teamQuotas = Type.Object({ teamId: Type.String(), quotas: Type.Array(quotaUse) }, { ...closed, title: 'TeamQuotas' });
