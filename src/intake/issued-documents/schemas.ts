import { Type } from 'typebox';

export const verifyBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64, description: 'The code on the document' }),
    sha256: Type.Optional(
      Type.String({ pattern: '^[0-9A-Fa-f]{64}$', description: 'SHA-256 of the file in hexadecimal; the file itself is not sent' }),
    ),
  },
  { additionalProperties: false },
);

export const verified = Type.Object(
  {
    status: Type.Union([Type.Literal('issued'), Type.Literal('withdrawn')]),
    issuer: Type.String({ description: 'The team that issued the document' }),
    issuedAt: Type.String({ format: 'date-time', description: 'The time of the issue' }),
    genuine: Type.Optional(Type.Boolean({ description: 'Whether the file is identical to this document; present if a hash was sent' })),
  },
  { title: 'VerifiedDocument', additionalProperties: false },
);
