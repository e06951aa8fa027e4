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
      description: 'The client identifier of this service there, if it does not register itself',
    }),
  ),
  clientSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'The secret of `clientId`' })),
  returnTo: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The page that gets the response: a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS',
    }),
  ),
});
export type BeginSignIn = Static<typeof beginBody>;

export const begun = Type.Object(
  {
    authorizationUrl: Type.String({ description: 'The address to sign in and allow the access; open it in a browser' }),
    issuer: Type.String({ description: 'The authorization server' }),
    scope: Type.Optional(Type.String({ description: 'The requested scopes' })),
    redirectUri: Type.String({ description: 'The address for the response; register it if `clientId` is required' }),
    expiresAt: Type.String({ format: 'date-time', description: 'The time limit to finish it' }),
  },
  { title: 'AgentMcpSignIn' },
);
export type Begun = Static<typeof begun>;

export const finishBody = Type.Object({
  state: Type.String({ minLength: 1, maxLength: 4_000, description: 'The value from the response' }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 8_000, description: 'The value from the response' })),
  iss: Type.Optional(Type.String({ maxLength: 2_000, description: 'The value from the response' })),
  error: Type.Optional(Type.String({ maxLength: 200, description: 'The value from the response, instead of `code`' })),
});
export type FinishSignIn = Static<typeof finishBody>;
