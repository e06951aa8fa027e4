import { type Static, Type } from 'typebox';

export const beginBody = Type.Object({
  scope: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The scopes to request, separated by spaces; by default those that the server requires',
    }),
  ),
  clientId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'As whom this service is registered there, where it does not register itself',
    }),
  ),
  clientSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'The secret that goes with `clientId`' })),
  returnTo: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The page that gets the answer: a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS',
    }),
  ),
});
export type BeginSignIn = Static<typeof beginBody>;

export const begun = Type.Object(
  {
    authorizationUrl: Type.String({ description: 'Where you sign in and allow it: open it in a browser' }),
    issuer: Type.String({ description: 'Who asks you there' }),
    scope: Type.Optional(Type.String({ description: 'The requested scopes' })),
    redirectUri: Type.String({ description: 'Where the answer comes to: what to register where `clientId` is needed' }),
    expiresAt: Type.String({ format: 'date-time', description: 'Until when it can be finished' }),
  },
  { title: 'AgentMcpSignIn' },
);
export type Begun = Static<typeof begun>;

export const finishBody = Type.Object({
  state: Type.String({ minLength: 1, maxLength: 4_000, description: 'As the answer has it' }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 8_000, description: 'As the answer has it' })),
  iss: Type.Optional(Type.String({ maxLength: 2_000, description: 'As the answer has it' })),
  error: Type.Optional(Type.String({ maxLength: 200, description: 'As the answer has it, in place of `code`' })),
});
export type FinishSignIn = Static<typeof finishBody>;
