import { type Static, Type } from 'typebox';
import { type AssertionResponse, assertionResponse } from './passkeys/schemas.ts';
import { memberLanguages } from '../../platform/mail/compose.ts';
import { closed } from '../../platform/schema-parts.ts';

const email = Type.String({ minLength: 1, maxLength: 320 });
const password = Type.String({ maxLength: 1_024 });
const name = Type.String({ maxLength: 1_000 });

export const message = Type.Object({ message: Type.String() }, { ...closed, title: 'Message' });

export const loginUser = Type.Object(
  { id: Type.String(), email: Type.String(), firstName: Type.String(), lastName: Type.String(), teamId: Type.String() },
  { ...closed, title: 'SignedInUser' },
);
export const signedIn = Type.Object({ accessToken: Type.String(), user: loginUser }, { ...closed, title: 'SignedIn' });
export const challenge = Type.Object(
  {
    twoFactorRequired: Type.Literal(true),
    challengeId: Type.String(),
    expiresIn: Type.Integer({ description: 'Lifetime of the challenge in seconds' }),
    methods: Type.Array(Type.String()),
  },
  {
    ...closed,
    title: 'SignInChallenge',
    description: 'The user has a second factor. Complete the sign-in with verify-totp or verify-passkey, by one of `methods`',
  },
);
export const tokens = Type.Object({ accessToken: Type.String(), refreshToken: Type.String() }, { ...closed, title: 'Tokens' });
export const changed = Type.Object({ accessToken: Type.String(), message: Type.String() }, { ...closed, title: 'ChangedPassword' });

export const profile = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    teamId: Type.String(),
    onboardingCompletedAt: Type.Optional(Type.String({ format: 'date-time' })),
    role: Type.String({ enum: ['owner', 'admin', 'member', 'viewer', 'guest', 'auditor'] }),
    timezone: Type.String(),
    twoFactorEnabled: Type.Boolean(),
  },
  { ...closed, title: 'Profile' },
);
export type Profile = Static<typeof profile>;

export const notifications = Type.Object(
  {
    taskAssigned: Type.Enum(['at_once', 'daily', 'none'], {
      description: 'Mails about tasks from other users: `at_once`, `daily` in one mail at 07:00 in the user’s time zone, or `none`',
    }),
  },
  { ...closed, title: 'NotificationSettings' },
);
export type Notifications = Static<typeof notifications>;

export const updatedProfile = Type.Object(
  { id: Type.String(), email: Type.String(), firstName: Type.String(), lastName: Type.String(), message: Type.String() },
  { ...closed, title: 'UpdatedProfile' },
);

/**
 * `altcha` is the solution as base64 of JSON or as an object. The handler checks it instead of the schema, so that a missing solution has a separate
 * error code.
 */
export const registerBody = Type.Object({ altcha: Type.Optional(Type.Unknown()), email, firstName: name, lastName: name, password });
export const emailBody = Type.Object({ email });
export const resetRequestBody = Type.Object({ altcha: Type.Optional(Type.Unknown()), email });
export const resetBody = Type.Object({ password, token: Type.String({ maxLength: 200 }) });
export const verifyBody = Type.Object({ code: Type.String({ maxLength: 20 }), email });
/** The team that a sign-in opens. By default the team of the last sign-in. */
export const teamId = Type.Optional(Type.String({ format: 'uuid' }));
export const loginBody = Type.Object({ email: Type.String({ maxLength: 1_000 }), password, teamId });
export const ownTeam = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    role: Type.String(),
    status: Type.Enum(['active', 'disabled', 'ended']),
    current: Type.Boolean(),
    endsAt: Type.Optional(Type.String({ format: 'date-time', description: 'The end of the membership of a guest or auditor' })),
    requires: Type.Optional(Type.Enum(['sso', 'second_factor'])),
    connectionId: Type.Optional(Type.String()),
  },
  { ...closed, title: 'OwnTeam' },
);
export const teamBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) });
export const switchBody = Type.Object({ teamId: Type.String({ format: 'uuid' }) });
export const changePasswordBody = Type.Object({ currentPassword: password, newPassword: password });

export const verifyTotpBody = Type.Object({
  challengeId: Type.String({ maxLength: 200 }),
  code: Type.String({ maxLength: 40, description: 'A code of the authenticator app, or a backup code' }),
});
export const verifyTotpInTeamBody = Type.Object({ ...verifyTotpBody.properties, teamId });
export const setup = Type.Object(
  { backupCodes: Type.Array(Type.String()), setupId: Type.String(), totpUri: Type.String() },
  { ...closed, title: 'TwoFactorSetup' },
);
export const backupCodes = Type.Object({ backupCodes: Type.Array(Type.String()) }, { ...closed, title: 'BackupCodes' });
export const confirmSetupBody = Type.Object({ code: Type.String({ maxLength: 40 }), setupId: Type.String({ maxLength: 100 }) });
export const accessToken = Type.Object({ accessToken: Type.String() }, { ...closed, title: 'RenewedAccessToken' });
export const transferBody = Type.Object({ newOwnerId: Type.String({ format: 'uuid' }) });
export const codeBody = Type.Object({ code: Type.String({ maxLength: 40 }) });

/** An optional body. */
const optional = <T extends ReturnType<typeof Type.Object>>(body: T) => Type.Union([body, Type.Null()]);
export const logoutBody = optional(Type.Object({ refreshToken: Type.Optional(Type.String({ maxLength: 1_000 })) }));
export const refreshBody = optional(Type.Object({ refreshToken: Type.Optional(Type.String({ maxLength: 1_000 })), teamId }));
const proofMembers = {
  password: Type.Optional(password),
  code: Type.Optional(Type.String({ maxLength: 40 })),
  passkey: Type.Optional(assertionResponse),
};
export const proofBody = Type.Object(proofMembers, {
  description: 'The password, a code of the second factor, or the response of a passkey to `reauthenticate/options`',
});
export const optionalProofBody = optional(Type.Object(proofMembers));
export const proofIn = (body: unknown): { password?: string; code?: string; passkey?: AssertionResponse } | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  // The schema of the operation has validated it.
  if ('passkey' in body && body.passkey !== undefined) return { passkey: body.passkey as AssertionResponse };
  if ('code' in body && typeof body.code === 'string') return { code: body.code };
  return 'password' in body && typeof body.password === 'string' ? { password: body.password } : undefined;
};
/** The team of a refresh, if the body names one. */
export const teamIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'teamId' in body && typeof body.teamId === 'string' ? body.teamId : undefined;

export const tokenIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'refreshToken' in body && typeof body.refreshToken === 'string'
    ? body.refreshToken
    : undefined;

const asRead = Type.Optional(Type.Unknown({ description: 'Read-only: send it unchanged or omit it; another value is a 422' }));
const unchanging = { id: asRead, teamId: asRead, role: asRead, twoFactorEnabled: asRead };

export const profileBody = Type.Object(
  {
    firstName: Type.Optional(name),
    lastName: Type.Optional(name),
    timezone: Type.Optional(Type.String({ maxLength: 100 })),
    locale: Type.Optional(
      Type.Enum([...memberLanguages], {
        description: 'The language of mails. Mails without a translation to Arabic or Japanese are in English',
      }),
    ),
    email: Type.Optional(email),
    onboardingCompletedAt: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Literal(true), Type.Null()])),
    ...unchanging,
  },
  { minProperties: 1 },
);
export type UpdateProfile = Static<typeof profileBody>;

export const altchaQuery = Type.Object({
  v: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, description: 'Format of the challenge: `1` for all widgets, `2` is newer' })),
  action: Type.Optional(Type.Enum(['register', 'reset'])),
});

export const session = Type.Object(
  {
    id: Type.String(),
    current: Type.Boolean(),
    ip: Type.Optional(Type.String()),
    userAgent: Type.Optional(Type.String()),
    createdAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Session' },
);

export const linkedIdentity = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    connectionId: Type.String({ format: 'uuid', description: 'The connection of its last use' }),
    issuer: Type.String(),
    subject: Type.String({ description: 'The user’s identifier at the provider (`sub`)' }),
    email: Type.Optional(Type.String({ description: 'The latest address from the provider; absent if it was not trusted' })),
    createdAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false, title: 'LinkedIdentity' },
);
export type LinkedIdentity = Static<typeof linkedIdentity>;
