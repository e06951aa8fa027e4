import { type Static, Type } from 'typebox';

const email = Type.String({ minLength: 1, maxLength: 320 });
const password = Type.String({ maxLength: 1_024 });
const name = Type.String({ maxLength: 1_000 });
const closed = { additionalProperties: false } as const;

export const message = Type.Object({ message: Type.String() }, closed);

export const loginUser = Type.Object(
  { id: Type.String(), email: Type.String(), firstName: Type.String(), lastName: Type.String(), teamId: Type.String() },
  closed,
);
export const signedIn = Type.Object({ accessToken: Type.String(), user: loginUser }, closed);
export const tokens = Type.Object({ accessToken: Type.String(), refreshToken: Type.String() }, closed);
export const changed = Type.Object({ accessToken: Type.String(), message: Type.String() }, closed);

export const profile = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    teamId: Type.String(),
    onboardingCompletedAt: Type.Optional(Type.String({ format: 'date-time' })),
    role: Type.String(),
    timezone: Type.String(),
    twoFactorEnabled: Type.Boolean(),
  },
  { ...closed, title: 'Profile' },
);
export type Profile = Static<typeof profile>;

export const updatedProfile = Type.Object(
  { id: Type.String(), email: Type.String(), firstName: Type.String(), lastName: Type.String(), message: Type.String() },
  closed,
);

/** `altcha`: the solution as base64 of JSON, or the object itself; checked by hand, so that its absence has its own code. */
export const registerBody = Type.Object({ altcha: Type.Optional(Type.Unknown()), email, firstName: name, lastName: name, password });
export const emailBody = Type.Object({ email });
export const resetRequestBody = Type.Object({ altcha: Type.Optional(Type.Unknown()), email });
export const resetBody = Type.Object({ password, token: Type.String({ maxLength: 200 }) });
export const verifyBody = Type.Object({ code: Type.String({ maxLength: 20 }), email });
export const loginBody = Type.Object({ email: Type.String({ maxLength: 1_000 }), password });
export const changePasswordBody = Type.Object({ currentPassword: password, newPassword: password });

/** A body that may be left out. */
const optional = <T extends ReturnType<typeof Type.Object>>(body: T) => Type.Union([body, Type.Null()]);
export const refreshBody = optional(Type.Object({ refreshToken: Type.Optional(Type.String({ maxLength: 1_000 })) }));
export const tokenIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'refreshToken' in body && typeof body.refreshToken === 'string'
    ? body.refreshToken
    : undefined;

export const profileBody = Type.Object(
  {
    firstName: Type.Optional(name),
    lastName: Type.Optional(name),
    timezone: Type.Optional(Type.String({ maxLength: 100 })),
    onboardingCompletedAt: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Literal(true), Type.Null()])),
  },
  { additionalProperties: true, minProperties: 1 },
);
export type UpdateProfile = Static<typeof profileBody>;

export const altchaQuery = Type.Object({
  v: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, description: 'Shape of the challenge: 1 every widget takes, 2 is the newer' })),
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
